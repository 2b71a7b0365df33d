import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { BridgeClientError, memoryStore } from '../../../src/server/index.js';
import { approved, submitted } from '../support/applications.js';
import { partner } from '../support/partner.js';

const dayMs = 24 * 60 * 60_000;

suite('reconcile()', () => {
  test('finds what no webhook said, tells it once, and says what it did', async (t) => {
    const { begin, bridge, handler, facts, clock } = partner(t);
    for (const user of ['usr_1', 'usr_2', 'usr_3']) await begin(user);
    bridge.move('app_1', submitted);
    bridge.move('app_2', approved);
    assert.deepEqual(await handler.reconcile(), { read: 3, changed: 2, finished: 1, failed: 0, isComplete: true });
    assert.deepEqual(facts.map(({ listener, fact }) => `${fact.applicationId} ${listener}`).sort(), [
      'app_1 status',
      'app_1 status',
      'app_1 submitted',
      'app_2 status',
      'app_2 status',
      'app_2 submitted',
    ]);
    await clock.advance(1_000);
    const again = await handler.reconcile();
    assert.deepEqual(again, { read: 2, changed: 0, finished: 0, failed: 0, isComplete: true });
    assert.equal(facts.length, 6);
  });

  test('reads so many at once, and no more', async (t) => {
    const { begin, bridge, handler, clock } = partner(t);
    for (let number = 0; number < 12; number += 1) await begin(`usr_${String(number)}`);
    let atOnce = 0;
    let most = 0;
    const read = bridge.getApplication.bind(bridge);
    bridge.getApplication = async (id) => {
      most = Math.max(most, (atOnce += 1));
      await clock.advance(0);
      atOnce -= 1;
      return read(id);
    };
    assert.equal((await handler.reconcile({ concurrency: 3 })).read, 12);
    assert.equal(most, 3);
    for (const concurrency of [0, -1, 51, NaN]) await assert.rejects(handler.reconcile({ concurrency }), TypeError);
  });

  test('goes through more applications than one page holds', async (t) => {
    const { begin, bridge, handler } = partner(t);
    for (let number = 0; number < 250; number += 1) await begin();
    assert.equal((await handler.reconcile({ concurrency: 50 })).read, 250);
    assert.equal(new Set(bridge.readings).size, 250);
  });

  test('ends early in an outage, and reads the rest the next time', async (t) => {
    const { begin, bridge, handler, clock } = partner(t);
    for (let number = 0; number < 40; number += 1) await begin();
    bridge.fail('unavailable');
    const during = await handler.reconcile({ concurrency: 1 });
    assert.deepEqual(during, { read: 0, changed: 0, finished: 0, failed: 10, isComplete: false });
    bridge.fail(undefined);
    await clock.advance(1_000);
    assert.equal((await handler.reconcile()).read, 40);
  });

  test('one application that the bridge does not know is no outage', async (t) => {
    const { begin, bridge, handler, entries } = partner(t);
    for (let number = 0; number < 30; number += 1) await begin();
    const read = bridge.getApplication.bind(bridge);
    const notFound = { code: 'not_found', operation: 'getApplication', message: 'No.', retryable: false } as const;
    bridge.getApplication = (id) => (id === 'app_30' ? read(id) : Promise.reject(new BridgeClientError(notFound)));
    const summary = await handler.reconcile();
    assert.deepEqual(summary, { read: 1, changed: 0, finished: 0, failed: 29, isComplete: true });
    assert.equal(entries.filter(({ event }) => event === 'reconcile.failed').length, 29);
  });

  test('failures between successes are no outage', async (t) => {
    const { begin, bridge, handler } = partner(t);
    for (let number = 0; number < 30; number += 1) await begin();
    const read = bridge.getApplication.bind(bridge);
    let asked = 0;
    bridge.getApplication = (id) => ((asked += 1) % 3 === 0 ? read(id) : Promise.reject(new Error('It broke.')));
    const summary = await handler.reconcile({ concurrency: 1 });
    assert.deepEqual([summary.read, summary.failed, summary.isComplete], [10, 20, true]);
  });

  test('ends with its signal', async (t) => {
    const { begin, bridge, handler } = partner(t);
    for (let number = 0; number < 20; number += 1) await begin();
    const ending = new AbortController();
    const read = bridge.getApplication.bind(bridge);
    bridge.getApplication = (id) => {
      if (bridge.readings.length === 4) ending.abort();
      return read(id);
    };
    const summary = await handler.reconcile({ concurrency: 1, signal: ending.signal });
    assert.deepEqual([summary.read, summary.isComplete], [5, false]);
  });

  test('reads an application that nobody can go on with once more, then never', async (t) => {
    const { begin, handler, clock, bridge } = partner(t);
    await begin();
    await clock.advance(2 * dayMs);
    assert.equal((await handler.reconcile()).finished, 1);
    assert.equal((await handler.reconcile()).read, 0);
    assert.equal(bridge.readings.length, 1);
  });

  test('gives up an application after 180 days, known or not', async (t) => {
    const { begin, handler, clock, bridge } = partner(t);
    await begin();
    bridge.move('app_1', submitted);
    await begin();
    bridge.move('app_2', submitted);
    clock.leap(179 * dayMs);
    assert.equal((await handler.reconcile()).finished, 0);
    await clock.advance(1_000);
    clock.leap(2 * dayMs);
    const read = bridge.getApplication.bind(bridge);
    const notFound = { code: 'not_found', operation: 'getApplication', message: 'No.', retryable: false } as const;
    bridge.getApplication = (id) => (id === 'app_1' ? read(id) : Promise.reject(new BridgeClientError(notFound)));
    assert.deepEqual(await handler.reconcile(), { read: 1, changed: 0, finished: 2, failed: 1, isComplete: true });
  });

  test('on two instances at once tells each fact once', async (t) => {
    const store = memoryStore();
    const first = partner(t, { store });
    const second = partner(t, { store, bridge: first.bridge, clock: first.clock });
    for (let number = 1; number <= 20; number += 1) {
      await first.begin();
      first.bridge.move(`app_${String(number)}`, submitted);
    }
    await Promise.all([first.handler.reconcile(), second.handler.reconcile()]);
    const told = [...first.facts, ...second.facts].map(({ fact }) => fact.factId);
    assert.equal(told.length, 60);
    assert.equal(new Set(told).size, 60);
  });

  test('rejects when the store cannot be reached, and works again when it can', async (t) => {
    const store = memoryStore();
    let isAway = true;
    const { handler } = partner(t, {
      store: {
        ...store,
        openLinks: (...asked) => (isAway ? Promise.reject(new Error('No connection.')) : store.openLinks(...asked)),
      },
    });
    await assert.rejects(handler.reconcile(), { message: 'No connection.' });
    isAway = false;
    assert.equal((await handler.reconcile()).isComplete, true);
  });
});
