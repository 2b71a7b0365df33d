import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { BridgeClientError, type PartnerSession } from '../../../src/server/index.js';
import { partner, returnState, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

const hourMs = 60 * 60_000;
const nextState = 'z'.repeat(24);

/** A user at work, a few minutes before the session ends, at a bridge that goes on with what was begun. */
async function setup(t: TestContext) {
  const { postSession, ...rest } = partner(t);
  const { session, webhookUrl } = await rest.begin();
  rest.bridge.move('app_1', { progress: { step: 'background', index: 3, count: 6 } });
  rest.clock.leap(24 * hourMs - 5 * 60_000);
  rest.bridge.begun = 'app_1';
  const renew = async (body: object = {}, user = 'usr_1') => {
    const asked = { reason: 'expired', applicationId: 'app_1', returnState: nextState, ...body };
    const answer = await postSession(asked, { user });
    assert.equal(answer.status, 200);
    return (await answer.json()) as PartnerSession;
  };
  return { ...rest, session, webhookUrl, renew };
}

suite('a session that ends while the user is at work', () => {
  test('is followed by another link of the same application', async (t) => {
    const { session, renew, bridge, clock } = await setup(t);
    const renewed = await renew();
    assert.equal(renewed.applicationId, session.applicationId);
    assert.equal(renewed.applicationUrl, 'https://apply.example/s/capability-of-ses_2');
    assert.equal(renewed.expiresAt, new Date(clock.now() + 24 * hourMs).toISOString());
    assert.equal(renewed.returnState, nextState);
    assert.match(bridge.sessions[1]?.returnUrl ?? '', new RegExp(`state=${nextState}$`));
  });

  test('is renewed once for several tabs, and found again from another device', async (t) => {
    const { renew, bridge } = await setup(t);
    const renewed = await renew();
    const { progress: _, ...again } = await renew({ returnState });
    assert.deepEqual(again, renewed, 'with the value that the returnUrl of this session carries');
    const { progress: __, ...elsewhere } = await renew({ reason: 'resume', applicationId: undefined });
    assert.deepEqual(elsewhere, renewed);
    assert.equal(bridge.sessions.length, 2);
  });

  test('is told of at both of its addresses, the one before and the new one', async (t) => {
    const { webhookUrl, renew, bridge, postWebhook, facts, request, clock } = await setup(t);
    await renew();
    const addresses = [webhookUrl, bridge.sessions[1]?.webhookUrl ?? ''];
    assert.notEqual(addresses[0], addresses[1]);
    for (const [index, step] of ['payment', 'review'].entries()) {
      const sessionId = `ses_${String(index + 1)}`;
      bridge.move('app_1', { progress: { step, index: 5 + index, count: 6 } });
      const body = webhook(`evt_${String(index)}`, 'application.progress_updated', { sessionId });
      assert.equal((await postWebhook(addresses[index] ?? '', body)).status, 202);
      await clock.advance(1_000);
      await until('the fact', () => facts.length === index + 1);
    }
    assert.equal(facts[1]?.fact.sessionId, 'ses_2');
    const application = (await (await request('/applications/app_1')).json()) as { sessionId: string };
    assert.equal(application.sessionId, 'ses_2');
  });

  test('is not renewed for another user', async (t) => {
    const { renew, bridge } = await setup(t);
    bridge.begun = undefined;
    assert.equal((await renew({}, 'usr_2')).applicationId, 'app_2');
  });
});

test('an application that the bridge no longer has does not keep its user from applying', async (t) => {
  for (const wasRead of [false, true]) {
    const { begin, bridge, clock, postSession, request } = partner(t);
    await begin();
    if (wasRead) assert.equal((await request('/applications/app_1')).status, 200);
    await clock.advance(2_000);
    const notFound = { code: 'not_found', operation: 'getApplication', message: 'No.', retryable: false } as const;
    bridge.getApplication = () => Promise.reject(new BridgeClientError(notFound));
    for (const body of [{ reason: 'resume', applicationId: 'app_1' }, { reason: 'resume' }]) {
      const answer = await postSession({ ...body, returnState });
      assert.equal(answer.status, 200);
      assert.notEqual(((await answer.json()) as PartnerSession).applicationId, 'app_1');
    }
  }
});
