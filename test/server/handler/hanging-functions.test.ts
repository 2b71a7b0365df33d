import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { confirmWithBridge, memoryStore, type RefusalBody } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { partner, webhook } from '../support/partner.js';

/** A function that never settles, until it is let go. */
function hanging<Answer>(answer: Answer) {
  let isHanging = true;
  let calls = 0;
  return {
    call: () => {
      calls += 1;
      return isHanging ? new Promise<Answer>(() => undefined) : Promise.resolve(answer);
    },
    calls: () => calls,
    letGo: () => {
      isHanging = false;
    },
  };
}

suite('a function of yours that never settles', () => {
  for (const name of ['identify', 'session', 'peerAddress'] as const) {
    test(`${name}: the request is answered after 30 seconds, and the log says which one it was`, async (t) => {
      const { bridge, clock, entries, postSession } = partner(t, { [name]: hanging(null).call });
      const before = clock.timers;
      const asking = postSession();
      await clock.advance(29_000);
      assert.deepEqual(entries, []);
      await clock.advance(1_000);
      const answer = await asking;
      assert.equal(answer.status, 500);
      assert.equal(((await answer.json()) as RefusalBody).code, 'internal');
      assert.equal(bridge.sessions.length, 0);
      assert.deepEqual(
        entries.map(({ level, event, message }) => [level, event, message]),
        [['error', 'handler.failed', `${name} took longer than 30 seconds.`]],
      );
      // Beside the look for left work.
      assert.ok(clock.timers <= before + 1, String(clock.timers));
    });
  }

  test('a check: the webhook stays acknowledged, and is checked again until it can be decided', async (t) => {
    const store = memoryStore();
    const { call, calls, letGo } = hanging({ ok: true });
    const { begin, bridge, clock, entries, facts, postWebhook, verdicts } = partner(t, {
      store,
      checks: [{ name: 'own', check: call }, confirmWithBridge()],
    });
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'))).status, 202);
    await clock.advance(62_000);
    assert.equal(calls(), 2);
    const { event, message } = entries.at(-1) ?? {};
    assert.deepEqual([event, message], ['webhook.waiting', 'own took longer than 60 seconds.']);
    assert.equal((await store.unsettledDeliveries('app_1')).length, 1);
    letGo();
    await clock.advance(63_000);
    assert.equal(verdicts[0]?.outcome, 'accepted');
    assert.equal(facts.length, 3);
    assert.deepEqual(await store.unsettledDeliveries('app_1'), []);
  });

  test('a listener: the fact is told again, and then those behind it', async (t) => {
    const { call, calls, letGo } = hanging(undefined);
    const told: string[] = [];
    const { begin, bridge, clock, entries, postWebhook } = partner(t, {
      on: { submitted: call, status: ({ state }) => told.push(state) },
    });
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    await clock.advance(600_500);
    assert.deepEqual([calls(), told], [1, []]);
    const failed = entries.filter(({ level }) => level === 'error');
    assert.deepEqual(
      failed.map(({ event, listener, message }) => [event, listener, message]),
      [['listener.failed', 'submitted', 'on.submitted took longer than 600 seconds.']],
    );
    letGo();
    await clock.advance(1_000);
    assert.deepEqual([calls(), told], [2, ['TX', 'CA']]);
  });

  test('a listener of verdicts, or of facts, does not keep close() waiting for ever', async (t) => {
    const { begin, bridge, clock, entries, handler, postWebhook } = partner(t, {
      isLeftOpen: true,
      on: { webhook: hanging(undefined).call, submitted: hanging(undefined).call },
    });
    await begin('usr_2');
    const { webhookUrl } = await begin();
    await postWebhook(bridge.sessions[0]?.webhookUrl ?? '', { id: 'evt_1' });
    bridge.move('app_2', submitted);
    await postWebhook(webhookUrl, { id: 'evt_2' });
    await clock.advance(1_000);
    let isClosed = false;
    void handler.close().then(() => (isClosed = true));
    await clock.advance(1_200_000);
    assert.equal(isClosed, true);
    const failed = entries.filter(({ event }) => event === 'listener.failed').map(({ message }) => message);
    assert.ok(failed.includes('on.webhook took longer than 600 seconds.'), failed.join());
  });

  test('one that answers in time leaves no timer behind', async (t) => {
    const { begin, bridge, clock, postWebhook, request, verdicts } = partner(t);
    const { webhookUrl } = await begin();
    const before = clock.timers;
    bridge.move('app_1', submitted);
    await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    await clock.advance(1_000);
    await request('/applications/app_1');
    assert.equal(verdicts.length, 1);
    assert.equal(clock.timers, before);
  });
});
