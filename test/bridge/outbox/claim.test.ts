import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { releaseEvent } from '../../../src/bridge/store/webhooks/delivery-store.js';
import { at, now, openStreams, type Streams, url } from './streams.js';

let streams: Streams;
before(async () => {
  streams = await openStreams();
});
after(() => streams.stop());
beforeEach(() => streams.clear());

/** Adds an agency with applications `{id}1`, `{id}2`, …, due at these seconds. */
async function addDue(id: string, ...seconds: number[]) {
  const owner = await streams.addAgency(id);
  for (const [index, second] of seconds.entries()) {
    await streams.emit(await streams.addApplication(owner, `${id}${index + 1}`), at(second));
  }
  return owner;
}

async function claimedIds(...options: Parameters<Streams['claim']>) {
  return (await streams.claim(...options)).map(({ streamId }) => streamId).sort();
}

test('An event is claimed when it is due, not a millisecond earlier.', async () => {
  await addDue('a', 0);
  assert.deepEqual(await claimedIds({ now: at(-0.001) }), []);
  assert.deepEqual(await claimedIds({ now: at(0) }), ['a1']);
});

test('A claim has all that a delivery needs: the first waiting event, its stream and the secret of its mode.', async () => {
  const owner = await streams.addAgency('a');
  await streams.addAgency('b');
  const secret = (agencyId: string, mode: 'live' | 'test', secretEncrypted: string) => ({
    agencyId,
    mode,
    secretEncrypted,
    createdAt: now,
  });
  await streams.db
    .insertInto('webhookSecret')
    .values([secret('a', 'live', 'live'), secret('a', 'test', 'encrypted'), secret('b', 'test', 'other')])
    .execute();
  const id = await streams.addApplication(owner, 'a1');
  const events = [];
  for (const second of [-4, -3, -2, -1]) events.push(await streams.emit(id, at(second)));
  const [delivered = '', dead = '', first = ''] = events;
  await streams.mark({ deliveredAt: now }, { id: delivered });
  await streams.mark({ deadAt: now }, { id: dead });
  await streams.set(id, { attempts: 3, fence: 7 });
  const claimed = await streams.claimOne();
  const data = { applicationId: 'a1', sessionId: 'ses_a1', userId: 'usr_1' };
  assert.deepEqual(claimed, {
    ...{ streamId: 'a1', agencyId: 'a', mode: 'test', url, fence: 8, attempts: 3, seq: 3, id: first },
    webhookPreference: null,
    ...{ type: 'application.session_started', data, requestId: null, traceparent: null, createdAt: at(-2) },
    secretEncrypted: 'encrypted',
  });
});

test('A claimed stream is claimed by no one until its lease ends, which the clock of the database decides.', async () => {
  await addDue('a', -2, -1);
  const { rows } = await sql<{ at: Date }>`select now() as at`.execute(streams.db);
  // One slot: the stream under lease does not take it.
  assert.deepEqual(await claimedIds({ limit: 1 }), ['a1']);
  assert.deepEqual(await claimedIds({ limit: 1, now: at(86_400 * 365) }), ['a2']);
  assert.deepEqual(await claimedIds({ now: at(86_400 * 365) }), []);
  const leaseMs = ((await streams.streamOf('a1'))?.leaseUntil?.getTime() ?? 0) - (rows[0]?.at.getTime() ?? 0);
  assert.ok(leaseMs >= 20_000 && leaseMs < 50_000, String(leaseMs));
  await streams.endLeases();
  assert.deepEqual(await claimedIds(), ['a1', 'a2']);
});

test('A stream whose events were all dead-lettered meanwhile is not due any more. Others keep their claims.', async () => {
  await addDue('a', 0, 0);
  await streams.mark({ deadAt: now }, { applicationId: 'a1' });
  assert.deepEqual(await claimedIds(), ['a2']);
  const [empty, other] = [await streams.streamOf('a1'), await streams.streamOf('a2')];
  assert.deepEqual([empty?.dueAt, empty?.leaseUntil], [null, null]);
  assert.deepEqual(other?.dueAt, now);
  assert.ok(other.leaseUntil);
});

for (const [title, options, expected] of [
  ['the oldest comes first', { limit: 1 }, ['b2']],
  ['each sends its oldest', { limit: 2 }, ['a3', 'b2']],
  ['at most its share is in delivery', { share: 2 }, ['a2', 'a3', 'b1', 'b2']],
  ['those in delivery count for the share', { share: 3, underWay: new Map([['a', 2]]) }, ['a3', 'b1', 'b2']],
  ['more than its share in delivery is no error', { share: 1, underWay: new Map([['a', 9]]) }, ['b2']],
  ['those with less in delivery come first', { limit: 2, underWay: new Map([['a', 2]]) }, ['b1', 'b2']],
  ['they take turns', { limit: 3, underWay: new Map([['a', 1]]) }, ['a3', 'b1', 'b2']],
  ['within the limit, all are claimed', { limit: 5 }, ['a1', 'a2', 'a3', 'b1', 'b2']],
] as const) {
  test(`Of the due streams of two agencies, ${title}.`, async () => {
    await addDue('a', -7, -8, -9);
    await addDue('b', -1, -10);
    assert.deepEqual(await claimedIds(options), expected);
  });
}

test('The events of a deactivated agency wait for its activation.', async () => {
  await addDue('a', 0);
  await addDue('b', 0);
  await streams.db.updateTable('agency').set({ deactivatedAt: now }).where('id', '=', 'a').execute();
  assert.deepEqual(await claimedIds(), ['b1']);
  await streams.db.updateTable('agency').set({ deactivatedAt: null }).where('id', '=', 'a').execute();
  assert.deepEqual(await claimedIds(), ['a1']);
});

test('A stream that another transaction holds is skipped, without waiting.', async () => {
  await addDue('a', 0, 0);
  await streams.change(async (trx) => {
    await trx.selectFrom('webhookStream').select('fence').where('applicationId', '=', 'a1').forUpdate().execute();
    assert.deepEqual(await claimedIds(), ['a2']);
  });
});

test('A released stream is free at once, and its fence stays. A replaced claim releases nothing.', async () => {
  await addDue('a', -1, 0);
  const claims = await streams.claim();
  const first = claims.find(({ streamId }) => streamId === 'a1');
  assert.ok(first);
  await releaseEvent(streams.db, { ...first, fence: first.fence - 1 });
  assert.deepEqual(await claimedIds(), []);
  await releaseEvent(streams.db, first);
  const again = await streams.claim();
  assert.deepEqual(
    again.map(({ streamId, fence, attempts }) => [streamId, fence, attempts]),
    [['a1', 2, 0]],
  );
});

/*
 * The other instance commits between the first look of a claim and its lock. The claim looks up the
 * agency in between: here that waits for an advisory lock.
 */
for (const [title, values] of [
  ['claimed', { leaseUntil: new Date(Date.now() + 60_000), fence: 1 }],
  ['postponed', { dueAt: at(0.001) }],
  ['emptied', { dueAt: null }],
] as const) {
  test(`A stream that another instance has just ${title} is not claimed.`, async (t) => {
    const barrier = await openStreams();
    t.after(() => barrier.stop());
    const { db } = barrier;
    const owner = await barrier.addAgency('a');
    for (const id of ['a1', 'a2']) await barrier.emit(await barrier.addApplication(owner, id));
    await sql`create function passed_at(deactivated_at timestamptz) returns timestamptz language plpgsql volatile as $$
      begin perform pg_advisory_xact_lock_shared(1); return deactivated_at; end $$`.execute(db);
    await sql`alter table agency rename to real_agency`.execute(db);
    await sql`create view agency as select id, passed_at(deactivated_at) as deactivated_at from real_agency`.execute(
      db,
    );
    const claimed = await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(1)`.execute(trx);
      const claiming = barrier.claim();
      await barrier.isBlocked();
      await barrier.set('a1', values);
      return { claiming };
    });
    assert.deepEqual(
      (await claimed.claiming).map(({ streamId }) => streamId),
      ['a2'],
    );
    assert.equal((await barrier.streamOf('a1'))?.fence, 'fence' in values ? 1 : 0);
  });
}
