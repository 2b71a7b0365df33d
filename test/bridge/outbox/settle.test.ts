import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Owner } from '../../../src/bridge/store/owner.js';
import {
  type Attempt,
  type ClaimedEvent,
  type Outcome,
  settleEvent,
  settleEvents,
} from '../../../src/bridge/store/webhooks/delivery-store.js';
import { sweepStreamsOf } from '../../../src/bridge/store/webhooks/endpoint-store.js';
import { at, holdStream, now, openStreams, otherUrl, type Streams, url } from './streams.js';

let streams: Streams;
let owner: Owner;
before(async () => {
  streams = await openStreams();
});
after(() => streams.stop());
beforeEach(async () => {
  await streams.clear();
  owner = await streams.addAgency('a');
});

/** An application with `count` waiting events, the first of them claimed. */
async function setup(count = 2): Promise<ClaimedEvent> {
  await streams.addApplication(owner, 'a1');
  for (let index = 0; index < count; index += 1) await streams.emit('a1');
  return streams.claimOne();
}

const settledAt = at(5);
const attempt: Attempt = { attemptedAt: at(1), status: 503, error: 'status', durationMs: 12 };
const settle = (event: ClaimedEvent, outcome: Outcome) =>
  settleEvent(streams.db, { event, outcome, attempt }, settledAt);

/** The stream and its events after the settlement. */
async function stateOf(id = 'a1') {
  const stream = await streams.streamOf(id);
  const { dueAt: due, attempts, leaseUntil: lease } = stream ?? {};
  return { due, attempts, isLeased: lease !== null, events: await streams.eventsOf(id) };
}
const free = { attempts: 0, isLeased: false };
const retry: Outcome = { kind: 'retry', at: at(300) };

for (const [outcome, count, isNextDue, expected] of [
  [{ kind: 'delivered' }, 2, true, { ...free, due: settledAt, events: ['delivered 5', 'waiting'] }],
  [{ kind: 'delivered' }, 1, false, { ...free, due: null, events: ['delivered 5'] }],
  [{ kind: 'dead' }, 2, true, { ...free, due: settledAt, events: ['dead 5', 'waiting'] }],
  [{ kind: 'dead' }, 1, false, { ...free, due: null, events: ['dead 5'] }],
  [{ kind: 'gone' }, 2, true, { ...free, due: settledAt, events: ['waiting', 'waiting'] }],
  [retry, 2, false, { ...free, attempts: 4, due: at(300), events: ['waiting', 'waiting'] }],
  [{ kind: 'retry', at: settledAt }, 1, true, { ...free, attempts: 4, due: settledAt, events: ['waiting'] }],
] as const) {
  test(`"${outcome.kind}" of the first of ${count} events is recorded with its try, and frees the stream${isNextDue ? ', which is due' : ''}.`, async () => {
    const event = await setup(count);
    // An application of the same agency, with the same number of its event.
    await streams.emit(await streams.addApplication(owner, 'a2', otherUrl), at(60));
    await streams.set('a1', { attempts: 3 });
    assert.equal(await settle({ ...event, attempts: 3 }, outcome), isNextDue);
    assert.deepEqual(await stateOf(), expected);
    const row = { attemptedAt: at(1), status: 503, error: 'status', durationMs: 12 };
    assert.deepEqual(await streams.attemptsOf(event.id), [row]);
    assert.deepEqual(await stateOf('a2'), { ...free, due: at(60), events: ['waiting'] });
  });
}

for (const kind of ['delivered', 'dead', 'gone', 'retry'] as const) {
  test(`"${kind}" of a claim that a later one has replaced changes nothing.`, async () => {
    const first = await setup();
    await streams.endLeases();
    const second = await streams.claimOne();
    const earlier = [await streams.streamOf('a1'), await stateOf()];
    const outcome: Outcome = kind === 'retry' ? retry : { kind };
    assert.equal(await settle(first, outcome), undefined);
    assert.deepEqual([await streams.streamOf('a1'), await stateOf()], earlier);
    assert.deepEqual(await streams.attemptsOf(first.id), []);
    assert.equal(await settle(second, { kind: 'delivered' }), true);
  });

  test(`"${kind}" at a URL that has changed during the try counts ${kind === 'delivered' ? 'as a delivery' : 'no try: the new URL is tried at once'}.`, async () => {
    const event = await setup();
    await streams.set('a1', { url: otherUrl, attempts: 3 });
    assert.equal(await settle(event, kind === 'retry' ? retry : { kind }), true);
    const events = [kind === 'delivered' ? 'delivered 5' : 'waiting', 'waiting'];
    assert.deepEqual(await stateOf(), { ...free, due: settledAt, events });
    assert.equal((await streams.attemptsOf(event.id)).length, 1);
  });
}

test('410 from a URL that the application has left disables it for the others.', async () => {
  const event = await setup();
  await streams.emit(await streams.addApplication(owner, 'a2'));
  await streams.set('a1', { url: otherUrl });
  await settle(event, { kind: 'gone' });
  await streams.sweep(settledAt);
  assert.deepEqual(await stateOf('a2'), { ...free, due: null, events: ['dead 5'] });
  assert.deepEqual(await stateOf(), { ...free, due: settledAt, events: ['waiting', 'waiting'] });
});

test('An event that was dead-lettered during its try is not retried: the next one has all its tries.', async () => {
  const event = await setup();
  await streams.mark({ deadAt: at(2) }, { id: event.id });
  assert.equal(await settle({ ...event, attempts: 3 }, retry), true);
  assert.deepEqual(await stateOf(), { ...free, due: settledAt, events: ['dead 2', 'waiting'] });
});

test('410 dead-letters what waits for the same URL in the same agency and mode, in the next claim or sweep.', async () => {
  const live = await streams.addAgency('a', 'live');
  const stranger = await streams.addAgency('b');
  const event = await setup();
  for (const [id, data, theirUrl] of [
    ['a2', owner, url],
    ['a3', owner, otherUrl],
    ['a4', live, url],
    ['b1', stranger, url],
    ['idle', owner, url],
  ] as const) {
    await streams.emit(await streams.addApplication(data, id, theirUrl));
  }
  await streams.mark({ deliveredAt: now }, { applicationId: 'idle' });
  await streams.set('idle', { dueAt: null });
  await streams.set('a2', { attempts: 2, dueAt: at(300) });
  await settle(event, { kind: 'gone' });
  assert.deepEqual(await streams.disabled(), [`a test ${url}`]);
  const claimed = await streams.claim({ now: settledAt });
  assert.deepEqual(claimed.map(({ streamId }) => streamId).sort(), ['a3', 'a4', 'b1']);
  const gone = { ...free, due: null };
  assert.deepEqual(await stateOf(), { ...gone, events: ['dead 5', 'dead 5'] });
  assert.deepEqual((await stateOf('a2')).events, ['waiting']);
  await streams.sweep(settledAt);
  assert.deepEqual(await stateOf('a2'), { ...gone, events: ['dead 5'] });
  for (const id of ['a3', 'a4', 'b1'])
    assert.deepEqual(await stateOf(id), { ...free, isLeased: true, due: now, events: ['waiting'] }, id);
  assert.deepEqual(await stateOf('idle'), { ...free, due: null, events: ['delivered 0'] });
});

test('An event that is written during the settlement of the last one is due, and not lost.', async () => {
  const event = await setup(1);
  let settling: Promise<unknown> | undefined;
  await streams.change(async (trx) => {
    // As enqueueEvent does, with the stream's lock held until the commit.
    await trx.selectFrom('application').select('id').where('id', '=', 'a1').forNoKeyUpdate().execute();
    await trx.updateTable('webhookStream').set({ nextSeq: 3 }).where('applicationId', '=', 'a1').execute();
    settling = settle(event, { kind: 'delivered' });
    await streams.isBlocked();
    const row = { streamId: 'a1', seq: 2, id: 'evt_2', type: 'application.submitted' as const, data: '{}' };
    await trx
      .insertInto('webhookEvent')
      .values({ ...row, createdAt: now, deliveredAt: null, deadAt: null })
      .execute();
  });
  assert.equal(await settling, true);
  assert.deepEqual(await stateOf(), { ...free, due: settledAt, events: ['delivered 5', 'waiting'] });
});

test('410 and a sweep of the same stream do not wait for each other.', async () => {
  const event = await setup();
  await streams.change(async (trx) => {
    await sweepStreamsOf(trx, 'a');
  });
  let settling: Promise<unknown> | undefined;
  await streams.change(async (trx) => {
    await trx.selectFrom('endpointSweep').select('agencyId').forUpdate().execute();
    settling = settle(event, { kind: 'gone' });
    await streams.isBlocked();
    // Held by the settlement, this would be a deadlock.
    await holdStream(trx, 'a1');
  });
  assert.equal(await settling, true);
});

test('Results that are recorded together have the effect of each by itself.', async () => {
  for (const id of ['delivered', 'dead', 'retry', 'moved', 'alone']) {
    await streams.addApplication(owner, id);
    for (let count = id === 'alone' ? 1 : 2; count > 0; count -= 1) await streams.emit(id);
    await streams.set(id, { attempts: 3 });
  }
  const claimed = await streams.claim();
  await streams.set('moved', { url: otherUrl });
  const outcomes: Record<string, Outcome> = {
    ...{ delivered: { kind: 'delivered' }, dead: { kind: 'dead' }, retry },
    ...{ moved: retry, alone: { kind: 'delivered' } },
  };
  const settlements = claimed.map((event, index) => {
    const outcome = outcomes[event.streamId] ?? retry;
    return { event, outcome, attempt: { ...attempt, durationMs: index, status: index === 0 ? null : 200 } };
  });
  const results = await settleEvents(streams.db, settlements, settledAt);
  const due = [...results].filter(([, isDue]) => isDue).map(([{ event }]) => event.streamId);
  assert.deepEqual(due.sort(), ['dead', 'delivered', 'moved']);
  assert.equal(results.size, 5);
  const next = { ...free, due: settledAt };
  assert.deepEqual(await stateOf('delivered'), { ...next, events: ['delivered 5', 'waiting'] });
  assert.deepEqual(await stateOf('dead'), { ...next, events: ['dead 5', 'waiting'] });
  assert.deepEqual(await stateOf('moved'), { ...next, events: ['waiting', 'waiting'] });
  assert.deepEqual(await stateOf('alone'), { ...free, due: null, events: ['delivered 5'] });
  assert.deepEqual(await stateOf('retry'), { ...free, attempts: 4, due: at(300), events: ['waiting', 'waiting'] });
  for (const { event, attempt: made } of settlements) assert.deepEqual(await streams.attemptsOf(event.id), [made]);
});

test('Of results that are recorded together, one whose claim was replaced or whose stream is held changes nothing.', async () => {
  for (const id of ['a1', 'a2', 'a3']) await streams.emit(await streams.addApplication(owner, id));
  const settlements = (await streams.claim()).map((event) => ({ event, outcome: retry, attempt }));
  await streams.set('a1', { fence: 9 });
  const earlier = [await stateOf('a1'), await stateOf('a2')];
  const results = await streams.change(async (trx) => {
    await holdStream(trx, 'a2');
    return settleEvents(streams.db, settlements, settledAt);
  });
  assert.deepEqual(
    [...results.keys()].map(({ event }) => event.streamId),
    ['a3'],
  );
  assert.deepEqual([await stateOf('a1'), await stateOf('a2')], earlier);
});
