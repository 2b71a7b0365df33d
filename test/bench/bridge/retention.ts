import { sql } from 'kysely';
import { deleteOld } from '../../../src/bridge/store/retention/retention-store.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import { inTransaction } from '../../../src/bridge/store/transaction.js';
import { claimEvents } from '../../../src/bridge/store/webhooks/delivery-store.js';
import { addDueStreams } from '../../bridge/outbox/due-streams.js';
import type { Comparison } from '../report.js';
import { measure, median, type Contender } from '../rounds.js';
import { withDatabases } from './separate-databases.js';

/** Delivered webhooks in each database, with a stream and a try each. */
const delivered = 200_000;
const perRound = 10_000;
const rounds = 7;
/** When the first was delivered; each other one a millisecond later. */
const firstAt = Date.UTC(2026, 0, 1);

/**
 * Compares the deletion of webhooks at the end of their retention with one statement for each
 * table, and claims of other webhooks during it with claims without it.
 */
export function compareRetention(): Promise<Comparison[]> {
  return withDatabases(async (create) => {
    const filled = async (name: string) => fill(await create(name));
    const [inBatches, atOnce, claimed] = [await filled('batches'), await filled('at_once'), await filled('claims')];
    const [ours, reference] = await measure(
      [
        deletion('in batches', inBatches, (before) => deleteOld(inBatches, 'deliveredWebhooks', before)),
        deletion('at once', atOnce, (before) => deleteAtOnce(atOnce, before)),
      ],
      rounds,
    );
    const alone = { name: 'alone', round: () => timeOfClaims(claimed) };
    const [quiet, during] = await measure([alone, claimsDuringDeletion(claimed)], rounds);
    if (!ours || !reference || !quiet || !during) throw new Error('Each contender gives a result.');
    return [
      { what: 'deletion of delivered webhooks', unit: 'events/s', ours, reference, target: { least: 0.3 } },
      { what: 'claim of webhooks during it', unit: 'ms', ours: during, reference: quiet, target: { most: 2 } },
    ];
  });
}

/** Adds the delivered webhooks, and some due ones. */
async function fill(db: Database): Promise<Database> {
  await addDueStreams(db, { prefix: 'old', count: delivered, agencyId: 'one', dueAt: new Date(firstAt) });
  await sql`update webhook_event set
    delivered_at = ${new Date(firstAt)}::timestamptz + right(stream_id, 7)::int * interval '1 millisecond'`.execute(db);
  await sql`update webhook_stream set due_at = null`.execute(db);
  await sql`insert into webhook_attempt (event_id, attempted_at, status, duration_ms)
    select id, delivered_at, 200, 12 from webhook_event`.execute(db);
  await addDueStreams(db, { prefix: 'due', count: 1_000, dueAt: new Date(firstAt) });
  await sql`vacuum analyze`.execute(db);
  return db;
}

/** Each round deletes the next ones. */
function deletion(name: string, db: Database, deleteUntil: (before: Date) => Promise<void>): Contender {
  const next = nextEnd();
  return {
    name,
    async round() {
      const startedAt = performance.now();
      await deleteUntil(next());
      return perRound / ((performance.now() - startedAt) / 1_000);
    },
  };
}

/** Returns, each time, the end of the retention of the next ones. */
function nextEnd(): () => Date {
  let count = 0;
  return () => {
    count += perRound;
    return new Date(firstAt + count);
  };
}

function deleteAtOnce(db: Database, before: Date): Promise<void> {
  return inTransaction(db, async (trx) => {
    const isOld = sql`delivered_at <= ${before}`;
    await sql`delete from webhook_attempt where event_id in (select id from webhook_event where ${isOld})`.execute(trx);
    const { rows } = await sql<{ streamId: string }>`
      delete from webhook_event where ${isOld} returning stream_id`.execute(trx);
    const ids = rows.map(({ streamId }) => streamId);
    await sql`delete from webhook_stream where stream_id = any(${ids}::text[])`.execute(trx);
  });
}

function claimsDuringDeletion(db: Database): Contender {
  const next = nextEnd();
  return {
    name: 'during the deletion',
    async round() {
      const deleting = deleteOld(db, 'deliveredWebhooks', next());
      const time = await timeOfClaims(db);
      await deleting;
      return time;
    },
  };
}

async function timeOfClaims(db: Database): Promise<number> {
  const durations: number[] = [];
  for (let call = 0; call < 20; call += 1) {
    const startedAt = performance.now();
    // The lease ends at once, so that each claim finds the same number of free events.
    const claim = { now: new Date(), limit: 32, leaseMs: 0, share: 32, underWay: new Map<string, number>() };
    await claimEvents(db, { ...claim, lastAgency: '' });
    durations.push(performance.now() - startedAt);
  }
  return median(durations);
}
