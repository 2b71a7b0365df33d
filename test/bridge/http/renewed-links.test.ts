import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Session } from '../../../src/contract/index.js';
import { cleanUp } from '../../../src/bridge/domain/retention.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { day, minute, useRenewals } from './support/renewals.js';

const renewals = useRenewals();
const { begin, pass, read } = renewals;

suite('the previous link of a renewed session', () => {
  test('The previous link works until its own expiry, and leads back to its own return URL.', async () => {
    const { first, again } = await begin();
    await pass(day - minute);
    const second = await again();
    const saved = await createVisitor().post(`${first.applicationUrl}/identity`, typed.identity);
    assert.equal(saved.status, 200);
    assert.match(saved.url, /\/background/);
    assert.equal((await read(first)).progress.step, 'background');
    const leaving = await createVisitor().post(`${first.applicationUrl}/profile/names`, { leave: '1' });
    assert.match(leaving.url, /state=once-only.*status=cancelled$/);
    await pass(minute);
    const late = await createVisitor().post(`${first.applicationUrl}/background/criminal`, {});
    assert.match(late.url, /^http:\/\/localhost:5999\/return\?state=once-only.*status=expired$/);
    const next = { use: 'keep', ssnLastFour: '0004' };
    assert.match((await createVisitor().post(`${second.applicationUrl}/identity`, next)).url, /background/);
  });

  test('The previous link is dead after its expiry even if the application was submitted with the new link.', async () => {
    const { first, again } = await begin();
    await pass(day - minute);
    const second = await again();
    await walkTo(createVisitor(), second, 'receipt');
    assert.match((await createVisitor().get(first.applicationUrl)).url, /\/receipt$/);
    await pass(minute);
    assert.match((await createVisitor().get(first.applicationUrl)).url, /status=expired$/);
    await pass(day);
    assert.match((await createVisitor().get(second.applicationUrl)).url, /\/receipt$/);
  });

  test('The previous link is deleted a month after its expiry.', async () => {
    const { first, again } = await begin();
    await pass(day);
    const second = await again();
    await pass(30 * day - 1);
    await cleanUp(renewals.service.context);
    assert.match((await createVisitor().get(first.applicationUrl)).url, /status=expired$/);
    await pass(1);
    await cleanUp(renewals.service.context);
    assert.equal((await createVisitor().get(first.applicationUrl)).status, 404);
    assert.match((await createVisitor().get(second.applicationUrl)).url, /status=expired$/);
  });

  test('The previous link is not stored in plain text.', async () => {
    const { first, again } = await begin();
    await pass(day);
    await again();
    const rows = await renewals.service.context.db.selectFrom('earlier_session').selectAll().execute();
    assert.ok(rows.some((row) => row.session_id === first.sessionId));
    const token = first.applicationUrl.split('/').at(-1) ?? '';
    assert.ok(!JSON.stringify(rows).includes(token));
  });
});

suite('the check of a page that continues with another link', () => {
  const ask = async (to: Session, from: Session, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams({ from: from.applicationUrl.split('/').at(-1) ?? '' });
    const answer = await fetch(`${to.applicationUrl}/renewal`, { method: 'POST', body, headers });
    return { status: answer.status, body: await answer.text() };
  };

  test('The check of another link returns its expiry, even after the previous link has expired.', async () => {
    const { first, again } = await begin();
    await pass(day - minute);
    const second = await again();
    for (const ms of [0, 2 * minute]) {
      await pass(ms);
      const { status, body } = await ask(second, first);
      assert.equal(status, 200);
      const expected = {
        now: new Date(renewals.now()).toISOString(),
        expiresAt: second.expiresAt,
        warningMs: 5 * minute,
      };
      assert.deepEqual(JSON.parse(body), expected);
    }
  });

  test('The check refuses a link of another application, an expired one and another return URL.', async () => {
    const { first, again } = await begin();
    const { first: other } = await begin();
    assert.equal((await ask(other, first)).body, 'null');
    const unknown = { ...other, applicationUrl: `${renewals.service.applyUrl}/s/${'x'.repeat(43)}` };
    assert.equal((await ask(unknown, first)).body, 'null');
    await pass(day);
    const second = await again();
    assert.equal((await ask(first, second)).body, 'null');
    await pass(day);
    const elsewhere = await again({ returnUrl: 'https://elsewhere.example/done' });
    assert.equal((await ask(elsewhere, second)).body, 'null');
    assert.notEqual((await ask(elsewhere, elsewhere)).body, 'null');
  });

  test('The check refuses other sites.', async () => {
    const { first } = await begin();
    assert.equal((await ask(first, first, { origin: 'https://attacker.example' })).status, 403);
  });
});
