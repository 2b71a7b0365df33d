import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { memoryStore, type LicensingStore } from '../../../src/server/index.js';
import { submitted } from '../support/applications.js';
import { partner, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

// Errors that nobody handles, and rejections, fail the test in which they happen: the runner sees to that.

type Method = Exclude<keyof LicensingStore, 'close'>;

/** A store of somebody's own. While a method is named, it fails as plain functions do: without a promise. */
function throwingStore() {
  const kept = memoryStore();
  const failing = new Set<Method>();
  const entries = Object.entries(kept).map(([name, method]) => [
    name,
    (...input: unknown[]) => {
      if (failing.has(name as Method)) throw new Error('The disk is full.');
      return (method as (...given: unknown[]) => unknown)(...input);
    },
  ]);
  return { kept, failing, store: Object.fromEntries(entries) as LicensingStore };
}

suite('a store of your own that throws instead of rejecting', () => {
  test('takes no place from the webhooks to come', async (t) => {
    const { store, failing } = throwingStore();
    const { begin, postWebhook, verdicts } = partner(t, { store });
    const { webhookUrl } = await begin();
    failing.add('acceptDelivery');
    for (let number = 0; number < 40; number += 1) {
      assert.equal((await postWebhook(webhookUrl, webhook(`evt_${String(number)}`, 'x'))).status, 500);
    }
    failing.clear();
    assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'x'))).status, 202);
    await until('the verdict', () => verdicts.length === 1);
  });

  test('does not end the process while a listener takes its time', async (t) => {
    const { store, failing } = throwingStore();
    let letGo = () => {};
    const told: string[] = [];
    const { begin, bridge, clock, postWebhook } = partner(t, {
      store,
      on: {
        submitted: () => new Promise<void>((resolve) => (letGo = resolve)),
        status: ({ state }) => told.push(state),
      },
    });
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    await clock.advance(100);
    failing.add('claimFacts');
    await clock.advance(15_000);
    failing.clear();
    letGo();
    await clock.advance(100);
    assert.deepEqual(told, ['TX', 'CA']);
  });

  for (const name of ['finish', 'publish', 'settleDeliveries', 'unsettledDeliveries', 'replaceState'] as const) {
    test(`loses no webhook: ${name}`, async (t) => {
      const { store, failing } = throwingStore();
      const { begin, bridge, clock, facts, postWebhook, verdicts } = partner(t, { store });
      const { webhookUrl } = await begin();
      bridge.move('app_1', submitted);
      failing.add(name);
      assert.equal((await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'))).status, 202);
      await clock.advance(5_000);
      failing.clear();
      await clock.advance(60_000);
      await until('the verdict', () => verdicts.length === 1);
      assert.equal(verdicts[0]?.outcome, 'accepted');
      assert.equal(facts.length, 3);
    });
  }

  test('lets every fact be told once, and soon, though what was told could not be struck off', async (t) => {
    const { store, failing } = throwingStore();
    const { begin, bridge, clock, facts, postWebhook } = partner(t, { store });
    const { webhookUrl } = await begin();
    bridge.move('app_1', submitted);
    failing.add('strikeFact');
    await postWebhook(webhookUrl, webhook('evt_1', 'application.submitted'));
    await clock.advance(500);
    assert.deepEqual(
      facts.map(({ listener }) => listener),
      ['submitted'],
    );
    failing.clear();
    await clock.advance(3_000);
    assert.deepEqual(
      facts.map(({ listener }) => listener),
      ['submitted', 'status', 'status'],
    );
  });

  test('costs nobody an answer or a stream because others cannot be told', async (t) => {
    const { store, failing } = throwingStore();
    const { begin, entries, request } = partner(t, { store });
    for (const user of ['usr_1', 'usr_2']) await begin(user);
    failing.add('publish');
    assert.equal((await request('/applications/app_1')).status, 200);
    assert.equal((await request('/applications/app_2/events', { user: 'usr_2' })).status, 200);
    assert.deepEqual(
      entries.map(({ level, event, message }) => [level, event, message]),
      [
        ['error', 'store.failed', 'The disk is full.'],
        ['error', 'store.failed', 'The disk is full.'],
      ],
    );
  });
});

suite('a store of your own whose subscriptions cannot be ended', () => {
  const ways: Record<string, () => unknown> = {
    throws: () => {
      throw new Error('Not connected.');
    },
    rejects: () => Promise.reject(new Error('Not connected.')),
  };
  for (const [way, leave] of Object.entries(ways)) {
    test(`and ${way}: every stream ends`, async (t) => {
      const store = { ...memoryStore(), subscribe: () => Promise.resolve(leave) };
      const { begin, clock, request, handler } = partner(t, { store, isLeftOpen: true });
      await begin();
      const opening = Promise.all([1, 2, 3].map(() => request('/applications/app_1/events')));
      await clock.advance(200);
      const streams = await opening;
      await streams[0]?.body?.cancel();
      const texts = streams.slice(1).map((stream) => stream.text());
      await handler.close();
      for (const text of await Promise.all(texts)) assert.match(text, /^retry: /);
    });
  }
});
