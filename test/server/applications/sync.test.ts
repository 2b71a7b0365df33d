import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { memoryStore, type LicensingStore } from '../../../src/server/index.js';
import { approved, submitted } from '../support/applications.js';
import { partner, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

const wasSubmitted = webhook('evt_1', 'application.submitted');
const ofSubmission = [
  'app_1.submitted.1.submitted',
  'app_1.status:TX.1.pending_review',
  'app_1.status:CA.1.pending_review',
];

/**
 * The store of an instance that dies at its n-th call: that call and all later ones never settle.
 */
function dyingAt(store: LicensingStore, lastCall: () => number) {
  let calls = 0;
  const methods = Object.entries(store).map(([name, method]) => [
    name,
    (...input: never[]): unknown => {
      calls += 1;
      return calls >= lastCall() ? new Promise(() => undefined) : (method as (...given: never[]) => unknown)(...input);
    },
  ]);
  return { store: Object.fromEntries(methods) as LicensingStore, calls: () => calls };
}

suite('An instance that dies', () => {
  test('When an instance dies at any point, another one delivers every event at least once and in order when the webhook is repeated.', async (t) => {
    let repeats = 0;
    let points = 0;
    for (let hasDied = true; hasDied; points += 1) {
      const store = memoryStore();
      let lastCall = Infinity;
      const dying = dyingAt(store, () => lastCall);
      const delivered: string[] = [];
      const listener = ({ eventId }: { eventId: string }) => void delivered.push(eventId);
      const on = { submitted: listener, status: listener };
      const first = partner(t, { store: dying.store, on, isLeftOpen: true });
      const { webhookUrl } = await first.begin();
      const { bridge, clock } = first;
      bridge.change('app_1', submitted);
      lastCall = dying.calls() + 1 + points;
      let status = 0;
      void first.postWebhook(webhookUrl, wasSubmitted).then((answer) => (status = answer.status));
      await until('the instance to finish or die', () => status === 204 || dying.calls() >= lastCall);
      hasDied = status !== 204;
      const byFirst = delivered.length;
      // The lease of the dead instance ends.
      await clock.advance(61_000);
      const second = partner(t, { store, bridge, clock, on });
      assert.equal((await second.postWebhook(webhookUrl, wasSubmitted)).status, 204);
      assert.deepEqual([...new Set(delivered)], ofSubmission, `after ${String(points)} calls`);
      const bySecond = delivered.slice(byFirst);
      assert.deepEqual(bySecond, ofSubmission.slice(ofSubmission.length - bySecond.length));
      repeats += delivered.length - ofSubmission.length;
    }
    assert.ok(points > 5, String(points));
    t.diagnostic(`${String(points)} points, ${String(repeats)} repeated events`);
  });

  test('Where the clock of the next instance was set back an hour, the lease of the dead one does not last an hour longer.', async (t) => {
    const store = memoryStore();
    const on = { submitted: () => new Promise(() => {}), status: () => undefined };
    const dead = partner(t, { store, on, isLeftOpen: true });
    const { webhookUrl } = await dead.begin();
    const { bridge, clock } = dead;
    bridge.change('app_1', submitted);
    void dead.postWebhook(webhookUrl, wasSubmitted);
    await until('the lease', async () => (await store.listOpen(undefined, 1))[0]?.lease !== undefined);
    clock.leap(-60 * 60_000);
    const next = partner(t, { store, bridge, clock });
    assert.equal((await next.postWebhook(webhookUrl, wasSubmitted)).status, 204);
    assert.equal(next.events.length, 3);
  });

  test('An instance that was frozen beyond its lease stops calling listeners when another one has taken over.', async (t) => {
    const store = memoryStore();
    const calls: string[] = [];
    let finish = () => {};
    const frozen = partner(t, {
      store,
      on: {
        submitted: () => new Promise<void>((resolve) => (finish = resolve)),
        status: ({ state }) => void calls.push(state),
      },
    });
    const { webhookUrl } = await frozen.begin();
    const { bridge } = frozen;
    bridge.change('app_1', submitted);
    const answer = frozen.postWebhook(webhookUrl, wasSubmitted);
    await until('the lease', async () => (await store.listOpen(undefined, 1))[0]?.lease !== undefined);
    const other = partner(t, { store, bridge });
    // The timers of a frozen process stop, while its clock continues.
    frozen.clock.leap(61_000);
    other.clock.leap(61_000);
    assert.equal((await other.postWebhook(webhookUrl, wasSubmitted)).status, 204);
    assert.equal(other.events.length, 3);
    finish();
    await frozen.clock.advance(0);
    assert.equal((await answer).status, 503);
    assert.deepEqual(calls, []);
  });
});

suite('Delivered events', () => {
  test('A change during a reading is delivered too.', async (t) => {
    const { begin, bridge, events, postWebhook } = partner(t);
    const { webhookUrl } = await begin();
    const release = bridge.hold();
    const first = postWebhook(webhookUrl, webhook('evt_1', 'application.session_started'));
    await until('the reading', () => bridge.readings.length === 1);
    const second = postWebhook(webhookUrl, webhook('evt_2', 'application.submitted'));
    bridge.change('app_1', submitted);
    release();
    assert.deepEqual([(await first).status, (await second).status], [204, 204]);
    assert.deepEqual(
      events.map(({ eventId }) => eventId),
      ofSubmission,
    );
  });

  test('A state that requires an action is delivered again when its link is another one, and not before it has one.', async (t) => {
    const { begin, bridge, events, handler } = partner(t);
    await begin();
    const links = [undefined, 'https://apply.example/a/1', 'https://apply.example/a/1', 'https://apply.example/a/2'];
    for (const actionUrl of links) {
      const state = { state: 'TX', status: 'requires_action', updatedAt: '2026-11-20T12:01:00.000Z' };
      bridge.change('app_1', {
        ...submitted,
        states: [{ ...state, ...(actionUrl === undefined ? {} : { actionUrl }) }],
      });
      await handler.reconcile();
    }
    const delivered = events.flatMap((event) => (event.type === 'requiresAction' ? [event.actionUrl] : []));
    assert.deepEqual(delivered, links.slice(-2));
    assert.equal(events.filter(({ type }) => type === 'status').length, 1);
    assert.doesNotMatch(events.map(({ eventId }) => eventId).join(), /apply\.example/);
  });

  test('A listener that is added later receives what happens then, not what happened before.', async (t) => {
    const store = memoryStore();
    const before = partner(t, { store, on: {} });
    const { webhookUrl } = await before.begin();
    const { bridge, clock } = before;
    bridge.change('app_1', submitted);
    assert.equal((await before.postWebhook(webhookUrl, wasSubmitted)).status, 204);
    const after = partner(t, { store, bridge, clock });
    bridge.change('app_1', approved);
    assert.equal((await after.postWebhook(webhookUrl, wasSubmitted)).status, 204);
    assert.deepEqual(
      after.events.map(({ eventId }) => eventId),
      ['app_1.status:TX.2.approved', 'app_1.status:CA.2.approved'],
    );
  });
});
