import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Session } from '../../../src/contract/index.js';
import { createAccountCredential, createAgency } from '../../../src/bridge/index.js';
import { login } from '../../../src/bridge/domain/accounts/login.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { newKey, setUpRotation } from './rotation.js';

/** A bridge, and a function that replaces its key for good. The agency's token stays valid. */
async function setup(t: TestContext) {
  const rotating = await setUpRotation(t);
  const { context } = await rotating.start(newKey());
  const { agencyId } = await createAgency(context, 'Example Agency');
  const { clientId, testClientSecret: clientSecret } = await createAccountCredential(context, agencyId, undefined);
  const { accessToken: token } = await login(context, { clientId, clientSecret }, 'test');
  return {
    async createSession(userId: string): Promise<Session> {
      const [applicationType, licenseType, states] = ['new', 'life_health', ['TX', 'CA']];
      const body = { userId, applicationType, licenseType, states, returnUrl: 'http://localhost:5999/return' };
      const made = await rotating.call('POST', '/v1/applications/sessions', body, { token });
      assert.equal(made.status, 200);
      return made.body;
    },
    async loseKey() {
      const key = newKey();
      await rotating.reEncrypt([key], '--old-keys', 'lost');
      await rotating.start(key);
    },
  };
}

for (const step of ['background', 'disclosures', 'review'] as const) {
  test(`A user whose key is lost at "${step}" types the unreadable data again, and submits.`, async (t) => {
    const { createSession, loseKey } = await setup(t);
    const session = await createSession('usr_abc123');
    const visitor = createVisitor();
    await walkTo(visitor, session, step);
    await loseKey();
    if (step === 'review') {
      const refused = await visitor.post(`${session.applicationUrl}/review`, typed.review);
      assert.match(refused.url, /\/profile\/names$/, 'the user continues at the first missing step');
    }
    const identity = await visitor.get(`${session.applicationUrl}/identity`);
    assert.equal(identity.heading, 'Your Social Security number');
    assert.doesNotMatch(identity.html, /value="keep"/);
    const background = await visitor.post(`${session.applicationUrl}/identity`, typed.identity);
    assert.equal(background.heading, 'Criminal history');
    assert.doesNotMatch(background.html, /class="kept"/);
    const again = { identity: { ...typed.identity, use: 'keep' } };
    assert.equal((await walkTo(visitor, session, 'receipt', again)).heading, 'Application submitted');
  });
}

test('Answers that were kept for the next application are not offered after their key is lost.', async (t) => {
  const { createSession, loseKey } = await setup(t);
  await walkTo(createVisitor(), await createSession('usr_abc123'), 'receipt');
  await loseKey();
  const session = await createSession('usr_abc123');
  assert.equal(session.prefilled.ssn, false);
  const visitor = createVisitor();
  const identity = await walkTo(visitor, session, 'identity');
  assert.doesNotMatch(identity.html, /value="earlier"/);
  const background = await visitor.post(`${session.applicationUrl}/identity`, typed.identity);
  assert.equal(background.heading, 'Criminal history');
  const again = { identity: { ...typed.identity, use: 'keep' } };
  assert.equal((await walkTo(visitor, session, 'receipt', again)).heading, 'Application submitted');
  assert.equal((await createSession('usr_abc123')).prefilled.ssn, true);
});
