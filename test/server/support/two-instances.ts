import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { LicensingStore } from '../../../src/server/index.js';
import { submitted } from './applications.js';
import { manualClock } from './manual-clock.js';
import { partner, webhook } from './partner.js';
import { scriptedBridge } from './scripted-bridge.js';
import { until } from './until.js';

/** A store, opened by two instances. */
type OpenedTwice = readonly [LicensingStore, LicensingStore];

/**
 * Lets an instance die at each of its calls to the store in turn, before the call takes effect and
 * after it, and sends its webhook to the other one again. Fails if an event is lost or out of order.
 */
export async function assertNoEventIsLost(t: TestContext, stores: OpenedTwice): Promise<void> {
  const clock = manualClock();
  const bridge = scriptedBridge(() => clock.now());
  for (const moment of ['before', 'after'] as const) await assertNoneIsLost(t, stores, { clock, bridge, moment });
}

/** The moment of a death, by the call at which it happens. */
type Moment = 'before' | 'after';

interface Death {
  clock: ReturnType<typeof manualClock>;
  bridge: ReturnType<typeof scriptedBridge>;
  moment: Moment;
}

async function assertNoneIsLost(
  t: TestContext,
  [store, other]: OpenedTwice,
  { clock, bridge, moment }: Death,
): Promise<void> {
  const delivered: string[] = [];
  const listener = ({ eventId }: { eventId: string }) => void delivered.push(eventId);
  const on = { submitted: listener, status: listener };
  const second = partner(t, { store: other, bridge, clock, on });
  let repeats = 0;
  let points = 0;
  for (let hasDied = true; hasDied; points += 1) {
    let lastCall = Infinity;
    const dying = dyingAt(store, () => lastCall, moment);
    const first = partner(t, { store: dying.store, bridge, clock, on, isLeftOpen: true });
    const userId = `usr_${moment}_${points}`;
    const { session, webhookUrl } = await first.begin(userId);
    const { applicationId } = session;
    const wasSubmitted = webhook('evt_1', 'application.submitted', { applicationId, userId });
    const expected = ['submitted.1.submitted', 'status:TX.1.pending_review', 'status:CA.1.pending_review'].map(
      (id) => `${applicationId}.${id}`,
    );
    bridge.change(applicationId, submitted);
    delivered.length = 0;
    lastCall = dying.calls() + 1 + points;
    let status = 0;
    void first.postWebhook(webhookUrl, wasSubmitted).then((answer) => (status = answer.status));
    await until('the instance to finish or die', () => status === 204 || dying.calls() >= lastCall);
    hasDied = status !== 204;
    const byFirst = delivered.length;
    // The lease of the dead instance ends.
    await clock.advance(61_000);
    assert.equal((await second.postWebhook(webhookUrl, wasSubmitted)).status, 204);
    assert.deepEqual([...new Set(delivered)], expected, `after ${points} calls`);
    const bySecond = delivered.slice(byFirst);
    assert.deepEqual(bySecond, expected.slice(expected.length - bySecond.length));
    repeats += delivered.length - expected.length;
  }
  assert.ok(points > 5, String(points));
  t.diagnostic(`${points} points ${moment} a call, ${repeats} repeated events`);
}

/**
 * The store of an instance that dies at its n-th call: that call and all later ones never settle.
 * `after`: that call still takes effect.
 */
function dyingAt(store: LicensingStore, lastCall: () => number, moment: Moment) {
  let calls = 0;
  const methods = (['get', 'put', 'byApplication', 'byUser', 'listOpen'] as const).map((name) => [
    name,
    (...input: never[]): unknown => {
      calls += 1;
      const isAlive = calls < lastCall();
      const isDone = isAlive || (moment === 'after' && calls === lastCall());
      const result = isDone ? (store[name] as (...given: never[]) => unknown)(...input) : undefined;
      return isAlive ? result : new Promise(() => undefined);
    },
  ]);
  return { store: Object.fromEntries(methods) as LicensingStore, calls: () => calls };
}

/** Reconciles on both instances at the same time. Fails if an event is not delivered exactly once. */
export async function assertEachEventOnce(t: TestContext, [store, other]: OpenedTwice): Promise<void> {
  const first = partner(t, { store });
  const { bridge, clock } = first;
  const second = partner(t, { store: other, bridge, clock });
  for (let number = 1; number <= 20; number += 1) {
    await first.begin(`usr_${number}`);
    bridge.change(`app_${number}`, submitted);
  }
  await Promise.all([first.handler.reconcile(), second.handler.reconcile()]);
  const ids = [...first.events, ...second.events].map(({ eventId }) => eventId);
  assert.equal(new Set(ids).size, 60);
  assert.equal(ids.length, 60);
}
