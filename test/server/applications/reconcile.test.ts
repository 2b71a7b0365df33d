import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { memoryStore } from '../../../src/server/index.js';
import { approved, submitted } from '../support/applications.js';
import { partner, webhook, type PartnerOptions } from '../support/partner.js';
import { bridgeError, type ScriptedBridge } from '../support/scripted-bridge.js';

const dayMs = 24 * 60 * 60_000;
const minuteMs = 60_000;

const userOf = (number: number) => `usr_${number}`;

/** Makes readings of these applications fail. */
function failReadings(bridge: ScriptedBridge, error: Error, isFailing: (applicationId: string) => boolean): void {
  const { get } = bridge.applications;
  bridge.applications.get = async (id) => {
    if (isFailing(id)) throw error;
    return get(id);
  };
}

/** A partner with this number of applications, each of a different user. */
async function withApplications(t: Parameters<typeof partner>[0], count: number, options: PartnerOptions = {}) {
  const made = partner(t, options);
  for (let number = 1; number <= count; number += 1) await made.begin(userOf(number));
  return made;
}

suite('reconcile()', () => {
  test('It delivers unreported changes once, and its summary lists them.', async (t) => {
    const { bridge, handler, events } = await withApplications(t, 3);
    bridge.change('app_1', submitted);
    bridge.change('app_2', approved);
    assert.deepEqual(await handler.reconcile(), { read: 3, closed: 1, failed: 0, isComplete: true });
    assert.deepEqual(
      events.map(({ applicationId, type }) => `${applicationId} ${type}`).sort(),
      ['app_1', 'app_2'].flatMap((id) => [`${id} status`, `${id} status`, `${id} submitted`]),
    );
    assert.deepEqual(await handler.reconcile(), { read: 2, closed: 0, failed: 0, isComplete: true });
    assert.equal(events.length, 6);
  });

  test('Listeners that fail are no outage: all applications are tried.', async (t) => {
    const on = { submitted: () => Promise.reject(new Error('The database is away.')) };
    const { bridge, handler } = await withApplications(t, 11, { on });
    for (let number = 1; number <= 11; number += 1) bridge.change(`app_${number}`, submitted);
    assert.deepEqual(await handler.reconcile(), { read: 11, closed: 0, failed: 11, isComplete: true });
  });

  test('It reads ten applications at the same time, and no more.', async (t) => {
    const { bridge, handler, clock } = await withApplications(t, 25);
    let running = 0;
    let most = 0;
    const { get } = bridge.applications;
    bridge.applications.get = async (id) => {
      most = Math.max(most, (running += 1));
      await clock.advance(0);
      running -= 1;
      return get(id);
    };
    assert.equal((await handler.reconcile()).read, 25);
    assert.equal(most, 10);
  });

  test('In an outage it ends early, and the next run reads the rest.', async (t) => {
    const { bridge, handler } = await withApplications(t, 40);
    bridge.fail('unavailable');
    const during = await handler.reconcile();
    assert.deepEqual(during, { read: 0, closed: 0, failed: 10, isComplete: false });
    bridge.fail(undefined);
    assert.equal((await handler.reconcile()).read, 40);
  });

  test('Applications that the bridge does not have, and failures between successes, are no outage.', async (t) => {
    const gone = await withApplications(t, 30);
    failReadings(gone.bridge, bridgeError('not_found', 'getApplication'), (id) => id !== 'app_30');
    const expected = { read: 1, closed: 0, failed: 29, isComplete: true };
    assert.deepEqual(await gone.handler.reconcile(), expected);
    assert.equal(gone.entries.filter(({ event }) => event === 'reconcile.failed').length, 29);

    const unsteady = await withApplications(t, 30);
    let readings = 0;
    failReadings(unsteady.bridge, bridgeError('unavailable', 'getApplication'), () => (readings += 1) % 3 !== 0);
    const summary = await unsteady.handler.reconcile();
    assert.deepEqual([summary.read, summary.failed, summary.isComplete], [10, 20, true]);
  });

  test('Its signal ends it after the applications that are being read.', async (t) => {
    const { bridge, handler } = await withApplications(t, 20);
    const controller = new AbortController();
    failReadings(bridge, new Error(), () => {
      if (bridge.readings.length === 4) controller.abort();
      return false;
    });
    const summary = await handler.reconcile({ signal: controller.signal });
    assert.deepEqual([summary.read, summary.isComplete], [10, false]);
  });

  test('An application whose link expired more than a day ago is read once more and then closed.', async (t) => {
    const { handler, clock, bridge } = await withApplications(t, 1);
    clock.leap(2 * dayMs);
    assert.equal((await handler.reconcile()).closed, 0);
    clock.leap(1);
    assert.equal((await handler.reconcile()).closed, 1);
    assert.equal((await handler.reconcile()).read, 0);
    assert.equal(bridge.readings.length, 2);
  });

  test('A request for a session that the bridge never answered is closed after a day.', async (t) => {
    const { bridge, handler, clock, postSession } = partner(t);
    bridge.sessions.create = () => Promise.reject(bridgeError('unreachable', 'createSession'));
    assert.equal((await postSession()).status, 503);
    clock.leap(dayMs);
    assert.deepEqual(await handler.reconcile(), { read: 0, closed: 0, failed: 0, isComplete: true });
    clock.leap(1);
    assert.equal((await handler.reconcile()).closed, 1);
  });

  test('After 180 days an application is closed, whether the bridge still has it or not.', async (t) => {
    const { bridge, handler, clock } = await withApplications(t, 2);
    for (const id of ['app_1', 'app_2']) bridge.change(id, submitted);
    clock.leap(180 * dayMs);
    assert.equal((await handler.reconcile()).closed, 0);
    clock.leap(1);
    failReadings(bridge, bridgeError('not_found', 'getApplication'), (id) => id === 'app_2');
    assert.deepEqual(await handler.reconcile(), { read: 1, closed: 2, failed: 1, isComplete: true });
  });

  test('A decision after 180 days is still delivered by its webhook, and the page shows it.', async (t) => {
    const { bridge, handler, clock, events, postWebhook, request } = await withApplications(t, 1);
    bridge.change('app_1', submitted);
    await handler.reconcile();
    clock.leap(181 * dayMs);
    assert.equal((await handler.reconcile()).closed, 1);
    bridge.change('app_1', approved);
    assert.match(await (await request('/applications/app_1')).text(), /"approved"/);
    const decided = webhook('evt_1', 'application.status_changed', { states: [{ state: 'TX', status: 'approved' }] });
    assert.equal((await postWebhook(bridge.requests[0]?.webhookUrl ?? '', decided)).status, 204);
    assert.deepEqual(
      events.slice(3).map(({ eventId }) => eventId),
      ['app_1.status:TX.2.approved', 'app_1.status:CA.2.approved'],
    );
  });
});

suite('reconcile() runs by itself', () => {
  test('From the first request on, it runs every `reconcileMinutes`, give or take a quarter, also after it failed.', async (t) => {
    let random = 0;
    t.mock.method(Math, 'random', () => random);
    const store = memoryStore();
    let isAway = false;
    const listOpen: typeof store.listOpen = (...input) =>
      isAway ? Promise.reject(new Error('No connection.')) : store.listOpen(...input);
    const { begin, bridge, clock, entries, events } = partner(t, {
      store: { ...store, listOpen },
      reconcileMinutes: 20,
    });
    assert.equal(clock.timers, 0, 'nothing happens before the first request');
    await begin();
    bridge.change('app_1', { progress: { step: 'identity', index: 2, count: 6 } });
    await clock.advance(15 * minuteMs - 1);
    assert.equal(events.length, 0);
    await clock.advance(1);
    assert.equal(events.length, 1);
    random = 0.999_999;
    isAway = true;
    await clock.advance(25 * minuteMs);
    assert.ok(entries.some(({ event, level }) => event === 'reconcile.failed' && level === 'error'));
    isAway = false;
    bridge.change('app_1', submitted);
    await clock.advance(25 * minuteMs);
    assert.equal(events.length, 4);
    assert.equal(clock.timers, 1);
  });

  test('By default it runs every ten minutes; with 0 never, and after close() no more.', async (t) => {
    for (const [reconcileMinutes, isClosed, expected] of [
      [undefined, false, 1],
      [0, false, 0],
      [undefined, true, 0],
    ] as const) {
      const { begin, bridge, clock, events, handler, request } = partner(t, {
        ...({ reconcileMinutes } as PartnerOptions),
      });
      await begin();
      bridge.change('app_1', { progress: { step: 'identity', index: 2, count: 6 } });
      if (isClosed) {
        await handler.close();
        await request('/applications');
      }
      await clock.advance(13 * minuteMs);
      assert.equal(events.length, expected);
    }
  });
});
