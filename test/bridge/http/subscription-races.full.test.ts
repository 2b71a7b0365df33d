import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { lockSubscriptions, onboardProducers } from '../../../src/bridge/store/producers/onboarding-store.js';
import { addManyProducers, producerCalls, type ProducerCalls } from './support/producer-calls.js';

let bridge: TestBridge;
let lastTick = 0;
/** Every call gets a different time. */
const clock = () => new Date((lastTick = Math.max(lastTick + 1, Date.now())));
let calls: ProducerCalls;
let npns: string[];
before(async () => {
  bridge = await startBridge({ clock, environment: { BRIDGE_RATE_LIMIT: '100000' } });
  calls = producerCalls(bridge);
  npns = await addManyProducers(bridge, 12_000);
});
after(() => bridge.stop());

/** The lists overlap, each in another order. */
function listOf(call: number): string[] {
  const start = (call * 97) % 2_000;
  const list = npns.slice(start, start + 10_000);
  return call % 2 === 0 ? list : list.reverse();
}

test('20 concurrent calls that add and remove overlapping lists have the result of some sequence.', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, call) => {
      const kind = call % 4 < 2 ? ('subscribe' as const) : ('unsubscribe' as const);
      const { status, body } = await calls[kind](listOf(call));
      return { kind, status, touched: body.npns };
    }),
  );
  assert.deepEqual(
    answers.filter(({ status }) => status !== 200),
    [],
  );
  // Each NPN is added with the time of its call, and a removal reports the addition that it ended.
  // The remaining subscriptions are those that were added and never removed.
  const added = new Set(answers.flatMap(({ kind, touched }) => (kind === 'subscribe' ? touched.map(keyOf) : [])));
  const removed = answers.flatMap(({ kind, touched }) => (kind === 'unsubscribe' ? touched.map(keyOf) : []));
  assert.equal(new Set(removed).size, removed.length, 'something was removed twice');
  for (const key of removed) assert.ok(added.has(key), 'something was removed that was never added');
  const left = (await Promise.all([npns.slice(0, 10_000), npns.slice(10_000)].map((list) => calls.unsubscribe(list))))
    .flatMap(({ body }) => body.npns.map(keyOf))
    .sort();
  for (const key of removed) added.delete(key);
  assert.deepEqual(left, [...added].sort());
});

test('Concurrent onboarding, subscribing and unsubscribing never deadlock.', async () => {
  const { db } = bridge.context;
  const list = npns.slice(0, 2_000);
  const onboard = (agencyId: string, own: string[], type: 'subscribe' | 'team') =>
    db.transaction().execute((trx) => onboardProducers(trx, { agencyId, mode: 'test' }, own, type, clock()));
  for (let round = 0; round < 4; round += 1) {
    // A new agency without rows.
    const { agencyId, tokens } = await bridge.addAgency();
    await Promise.all(
      Array.from({ length: 24 }, async (_, call) => {
        const own = call % 8 < 4 ? list : [...list].reverse();
        if (call % 4 === 0) return onboard(agencyId, own, 'subscribe');
        if (call % 4 === 1) return onboard(agencyId, own, 'team');
        const { status } = await (call % 4 === 2
          ? calls.subscribe(own, tokens.test)
          : calls.unsubscribe(own, tokens.test));
        assert.equal(status, 200);
      }),
    );
    const onboarded = await db
      .selectFrom('onboardedProducer')
      .select('onboardType')
      .where('agencyId', '=', agencyId)
      .execute();
    assert.equal(onboarded.length, list.length);
    assert.ok(onboarded.every(({ onboardType }) => onboardType === 'team'));
  }
});

test('An agency whose lists wait for each other holds up no other agency.', async () => {
  const elsewhere = openDatabase(bridge.databaseUrl);
  const other = await bridge.addAgency();
  const owner = { agencyId: bridge.agencyId, mode: 'test' as const };
  const list = npns.slice(0, 10);
  let waiting: Promise<{ status: number }[]> = Promise.resolve([]);
  // Like another instance during a long list of the same agency.
  await elsewhere.transaction().execute(async (trx) => {
    await lockSubscriptions(trx, owner);
    // More than the number of connections.
    waiting = Promise.all(Array.from({ length: 40 }, () => calls.subscribe(list)));
    assert.equal((await calls.subscribe(list, other.tokens.test)).status, 200);
    assert.equal((await calls.subscribe(list, bridge.tokens.live)).status, 200);
    assert.equal((await calls.activeLicenses('?stateCode=TX')).status, 200);
  });
  await elsewhere.destroy();
  assert.deepEqual(new Set((await waiting).map(({ status }) => status)), new Set([200]));
});

function keyOf({ npn, addedAt }: { npn: string; addedAt: string }): string {
  return `${npn} ${addedAt}`;
}
