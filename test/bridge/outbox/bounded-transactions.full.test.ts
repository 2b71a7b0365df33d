import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { activateAgency, deactivateAgency } from '../../../src/bridge/domain/accounts/agency.js';
import { replayApplication, replayDeadLetter } from '../../../src/bridge/domain/webhooks/dead-letters.js';
import type { Database, DatabaseTransaction } from '../../../src/bridge/store/tables/typed-database.js';
import {
  claimEvents,
  type ClaimedEvent,
  settleEvent,
  settleEvents,
} from '../../../src/bridge/store/webhooks/delivery-store.js';
import { sweepNextStreams } from '../../../src/bridge/store/webhooks/endpoint-store.js';
import { insertProducerEvents } from '../../../src/bridge/store/webhooks/producer-event-store.js';
import { at, now, openStreams, type Streams } from './streams.js';
import { addDueStreams } from './due-streams.js';
import { attempt, contextOf, setUrl, settleGone } from './endpoint-changes.js';
import { addWithStatistics, statisticsKinds, stopStatistics } from './statistics.js';

const waitingUrl = 'https://hooks.example';
/** More than two pieces, and far more than one transaction may touch. */
const waiting = 3_000;

/** More than a claim looks at, and far fewer than wait. */
const rowsAllowed = 200;

/** Writes an event for the agency, which subscribes to the producer. Resolves with whether it did. */
async function announceProducer(trx: DatabaseTransaction): Promise<boolean> {
  const producers = [{ npn: '7', reportDate: '2026-11-20', changes: ['biographic'] }];
  await insertProducerEvents(trx, { mode: 'test', producers, requestId: undefined, traceparent: undefined, now });
  const events = trx.selectFrom('webhookEvent').select('id').where('streamId', '=', 'a:test:7');
  return (await events.execute()).length === 1;
}
const settleRetry = (db: Database, event: ClaimedEvent) =>
  settleEvent(db, { event, outcome: { kind: 'retry', at: now }, attempt }, now);
const settleTogether = (db: Database, event: ClaimedEvent) =>
  settleEvents(db, [{ event, outcome: { kind: 'delivered' }, attempt }], now);

for (const statistics of statisticsKinds) {
  describe(statistics, () => {
    let streams: Streams;
    before(async () => {
      streams = await openStreams();
      await stopStatistics(streams.db);
    });
    after(() => streams.stop());
    beforeEach(async () => {
      await streams.clear();
      await streams.addAgency('a');
      await streams.addAgency('b');
    });

    /** Adds streams of agency `a` that follow the URL of its account, and the account's URL. */
    async function setup() {
      await streams.setAccountUrl({ agencyId: 'a', mode: 'test' }, waitingUrl);
      await addWithStatistics(streams.db, statistics, async (what) => {
        const count = what === 'few' ? 50 : waiting - 50;
        await addDueStreams(streams.db, { prefix: what, count, agencyId: 'a', dueAt: at(-60) });
        await streams.db.updateTable('webhookStream').set({ followsAccount: true }).execute();
        const first = what === 'few' ? 1 : 51;
        await sql`insert into subscription (agency_id, mode, npn, added_at)
          select 'a', 'test', n, ${now} from generate_series(${first}::int, ${first + count - 1}::int) n`.execute(
          streams.db,
        );
      });
    }

    /** The rows that a transaction reads and writes, of all tables. */
    async function rowsTouched(work: (trx: DatabaseTransaction) => Promise<unknown>): Promise<number> {
      return streams.change(async (trx) => {
        // A connection reports its counts with a delay, so those of earlier transactions are included.
        const earlier = await countRows(trx);
        await work(trx);
        return (await countRows(trx)) - earlier;
      });
    }

    async function claimFirst(): Promise<ClaimedEvent> {
      const [event] = await streams.claim({ limit: 1 });
      return event ?? assert.fail('Expected a due stream.');
    }

    for (const [title, change] of [
      [
        'A claim',
        (trx) => claimEvents(trx, { now, limit: 1, leaseMs: 20_000, share: 100, underWay: new Map(), lastAgency: '' }),
      ],
      ['An endpoint that answers 410', (trx, event) => settleGone(trx, event)],
      ['A try that failed', (trx, event) => settleRetry(trx, event)],
      ['A delivery', (trx, event) => settleTogether(trx, event)],
      ['Another URL of the account', (trx) => setUrl(trx, 'https://hooks.example/other')],
      ['Clearing the URL of the account', (trx) => setUrl(trx, null)],
      ['A replay', (trx) => replayDeadLetter(contextOf(trx), 'all', 'evt_letter', 'cli:tester')],
      ['An update of a producer', (trx) => announceProducer(trx)],
      ['A deactivation', (trx) => deactivateAgency(contextOf(trx), 'a')],
      ['An activation', (trx) => activateAgency(contextOf(trx), 'a')],
    ] satisfies [string, (trx: DatabaseTransaction, event: ClaimedEvent) => Promise<unknown>][]) {
      it(`${title} touches a handful of rows, whatever waits for the agency.`, async () => {
        await setup();
        await addDeadLetters(1);
        const event = await claimFirst();
        const touched = await rowsTouched(async (trx) => {
          assert.ok(await change(trx, event));
        });
        assert.ok(touched > 0 && touched < rowsAllowed, String(touched));
      });
    }

    for (const [title, change, least, expected] of [
      ['A URL that answers 410', async (db) => settleGone(db, await claimFirst()), 30, { dead: waiting }],
      ['A cleared URL', (db) => setUrl(db, null), 30, { dead: waiting }],
      ['Another URL', (db) => setUrl(db, 'https://hooks.example/other'), 30, { waiting }],
      ['A deactivation', (db) => deactivateAgency(contextOf(db), 'a'), 1, { waiting }],
      [
        'A replay of an application',
        async (db) => {
          await addDeadLetters(waiting);
          return replayApplication(contextOf(db), 'all', 'letter', 'cli:tester');
        },
        15,
        { waiting: 2 * waiting },
      ],
    ] satisfies [string, (db: Database) => Promise<unknown>, number, Record<string, number>][]) {
      it(`${title} goes through thousands of events in pieces, each in a transaction of bounded size.`, async () => {
        await setup();
        const touched: number[] = [];
        const db = createCountingDatabase(touched);
        await change(db);
        while (await sweepNextStreams(db, now));
        assert.ok(touched.length >= least && touched.length <= least + 3, String(touched.length));
        assert.ok(Math.max(...touched) < 2_500, touched.join());
        assert.deepEqual(await countEvents(), expected);
      });
    }

    /** A database that only runs transactions, and counts the rows that each of them touches. */
    function createCountingDatabase(touched: number[]): Database {
      const execute = async <Result>(work: (trx: DatabaseTransaction) => Promise<Result>) => {
        let result: Result | undefined;
        touched.push(await rowsTouched(async (trx) => (result = await work(trx))));
        return result;
      };
      return { isTransaction: false, transaction: () => ({ execute }) } as unknown as Database;
    }

    /** Adds an application with nothing but dead-lettered events. */
    async function addDeadLetters(count: number) {
      await streams.emit(await streams.addApplication({ agencyId: 'a', mode: 'test' }, 'letter', waitingUrl));
      await sql`insert into webhook_event (stream_id, seq, id, type, data, created_at)
        select 'letter', n, 'evt_' || n, 'application.submitted', '{}', ${now}
        from generate_series(2, ${count}::int) n`.execute(streams.db);
      await sql`update webhook_event set id = 'evt_letter' where stream_id = 'letter' and seq = 1`.execute(streams.db);
      await streams.mark({ deadAt: now }, { applicationId: 'letter' });
      await streams.set('letter', { dueAt: null });
    }

    async function countEvents(): Promise<Record<string, number>> {
      const { rows } = await sql<{ state: string; count: number }>`
        select case when dead_at is null then 'waiting' else 'dead' end as state, count(*)
        from webhook_event group by 1`.execute(streams.db);
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    }
  });
}

async function countRows(trx: DatabaseTransaction): Promise<number> {
  const { rows } = await sql<{ count: number }>`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)
    + n_tup_ins + n_tup_upd + n_tup_del)::int as count from pg_stat_xact_user_tables`.execute(trx);
  return rows[0]?.count ?? 0;
}
