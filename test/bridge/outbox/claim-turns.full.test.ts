import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../../src/bridge/store/database.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import { type Claim, claimEvents } from '../../../src/bridge/store/webhooks/delivery-store.js';
import { testDatabase } from '../../support/database.js';
import { addDueStreams } from './due-streams.js';
import { addWithStatistics, statisticsKinds, stopStatistics } from './statistics.js';
import { at, now } from './streams.js';

/** A database of one connection, whose tables are not analyzed by themselves. */
async function setup(t: TestContext) {
  const { url, stop } = await testDatabase();
  const db = openDatabase(url, { maxConnections: 1 });
  t.after(async () => {
    await db.destroy();
    await stop();
  });
  await stopStatistics(db);
  const claim = async (options: Partial<Claim>) => {
    const none = new Map<string, number>();
    const limits = { now, limit: 32, leaseMs: 20_000, share: 32, underWay: none, lastAgency: '' };
    const { events, lastAgency } = await claimEvents(db, { ...limits, ...options });
    return { ids: events.map(({ streamId }) => streamId), lastAgency };
  };
  return { db, claim };
}

/** The number of rows and entries of indexes that were read so far, by any plan. */
async function rowsRead(db: Database): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ count: number }>`
    select sum(seq_tup_read + coalesce((select sum(idx_tup_read) from pg_stat_user_indexes indexes
      where indexes.relid = tables.relid), 0))::int as count
    from pg_stat_user_tables tables where relname in ('agency', 'webhook_stream', 'webhook_event')`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * More than a claim of 32 reads, also of the rows that earlier claims left behind, and far fewer than
 * the tables have.
 */
const rowsAllowed = 2_000;

/** How often the tables of webhooks were read from end to end so far. */
async function wholeReads(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select sum(seq_scan)::int as count
    from pg_stat_user_tables where relname in ('webhook_stream', 'webhook_event')`.execute(db);
  return rows[0]?.count ?? 0;
}

for (const [title, agencies, backlog, statistics] of [
  ['at two agencies', 1, 300, 'with true statistics'],
  ['with a backlog of one agency', 1, 6_000, 'with true statistics'],
  ['at many agencies', 3_000, 300, 'with true statistics'],
  ...statisticsKinds.map((kind) => ['at many agencies with the backlog of one', 3_000, 6_000, kind] as const),
] as const) {
  test(`A claim reads a few hundred rows ${title}, ${statistics}.`, async (t) => {
    const { db, claim } = await setup(t);
    await addWithStatistics(db, statistics, async (what) => {
      if (what === 'few') {
        await addDueStreams(db, { prefix: 'early', count: 50, agencyId: 'big', dueAt: at(-100) });
      } else {
        await addDueStreams(db, { prefix: 'big', count: backlog, agencyId: 'big', dueAt: at(-90) });
        await addDueStreams(db, { prefix: 'one', count: agencies, dueAt: at(-60) });
      }
    });
    let lastAgency = '';
    // More often than a prepared statement is planned again.
    for (let round = 0; round < 7; round += 1) {
      const earlier = await rowsRead(db);
      const earlierWhole = await wholeReads(db);
      const claimed = await claim({ lastAgency });
      ({ lastAgency } = claimed);
      assert.ok(claimed.ids.length > 0);
      const count = (await rowsRead(db)) - earlier;
      assert.ok(count > claimed.ids.length && count < rowsAllowed, `${count} rows in round ${round}`);
      assert.equal(await wholeReads(db), earlierWhole, 'no table is read from end to end');
    }
  });
}

/** An agency that has used up its share, with more due events than a claim looks at, old and new. */
async function addBacklog(db: Database): Promise<Partial<Claim>> {
  await addDueStreams(db, { prefix: 'old', count: 70, agencyId: 'big', dueAt: at(-100) });
  await addDueStreams(db, { prefix: 'new', count: 70, agencyId: 'big', dueAt: at(-10) });
  return { underWay: new Map([['big', 1]]), share: 1 };
}

test('An agency whose event is neither among the oldest nor among the newest is claimed in its turn.', async (t) => {
  const { db, claim } = await setup(t);
  const options = await addBacklog(db);
  // Agencies that wait for a retry.
  await addDueStreams(db, { prefix: 'later', count: 40, dueAt: at(60) });
  await addDueStreams(db, { prefix: 'one', count: 1, dueAt: at(-50) });
  assert.deepEqual(await claim(options), { ids: [], lastAgency: 'later0000031' });
  assert.deepEqual(await claim({ ...options, lastAgency: 'later0000031' }), { ids: ['one0000001'], lastAgency: '' });
});

test('A new event is claimed at once, wherever its agency stands in the turn.', async (t) => {
  const { db, claim } = await setup(t);
  const options = await addBacklog(db);
  await addDueStreams(db, { prefix: 'later', count: 40, dueAt: at(60) });
  await addDueStreams(db, { prefix: 'one', count: 1, dueAt: at(-1) });
  assert.deepEqual((await claim(options)).ids, ['one0000001']);
});

test('Every agency has been claimed after one turn, the oldest event of each first.', async (t) => {
  const { db, claim } = await setup(t);
  await addDueStreams(db, { prefix: 'big', count: 300, agencyId: 'big', dueAt: at(-100) });
  await addDueStreams(db, { prefix: 'one', count: 100, dueAt: at(-50) });
  await addDueStreams(db, { prefix: 'new', count: 100, agencyId: 'big', dueAt: at(-10) });
  const ids: string[] = [];
  let lastAgency = '';
  do {
    const claimed = await claim({ lastAgency });
    ids.push(...claimed.ids);
    ({ lastAgency } = claimed);
  } while (lastAgency !== '');
  const own = ids.filter((id) => id.startsWith('big'));
  assert.deepEqual(own, own.toSorted());
  assert.equal(ids.filter((id) => id.startsWith('one')).length, 100);
});
