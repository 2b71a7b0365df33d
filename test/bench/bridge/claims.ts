import { sql } from 'kysely';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import { claimEvents } from '../../../src/bridge/store/webhooks/delivery-store.js';
import { addDueStreams } from '../../bridge/outbox/due-streams.js';
import type { Comparison } from '../report.js';
import { measure, median, type Contender, type Result } from '../rounds.js';
import { withDatabases } from './separate-databases.js';

/** The due events of a database. */
interface Size {
  name: string;
  /** Agencies with one due event each. */
  agencies: number;
  /** The due events of one more agency. */
  backlog: number;
}

const smallest: Size = { name: 'one agency', agencies: 1, backlog: 1_000 };
const larger: readonly Size[] = [
  { name: '10,000 agencies', agencies: 10_000, backlog: 1_000 },
  { name: '100,000 agencies, one with 1,000,000 events', agencies: 100_000, backlog: 1_000_000 },
];
/** Short and many rounds, so that other load on the machine affects all sizes alike. */
const rounds = 21;
const claimsPerRound = 5;

/**
 * Compares a claim of due webhooks at many agencies and a backlog with one at few. The statistics
 * are those of the first events, because a backlog builds up faster than they are renewed.
 */
export function compareClaims(): Promise<Comparison[]> {
  return withDatabases(async (create) => {
    const contenders: Contender[] = [];
    for (const [number, size] of [smallest, ...larger].entries()) {
      contenders.push(contender(size, await fill(await create(`claims_${number}`), size)));
    }
    const [reference, ...results] = await measure(contenders, rounds);
    if (reference === undefined) throw new Error('Each contender gives a result.');
    return results.map((ours: Result): Comparison => ({
      what: `claim of webhooks at ${ours.name}`,
      unit: 'ms',
      ours,
      reference,
      target: { most: 1.5 },
    }));
  });
}

async function fill(db: Database, { agencies, backlog }: Size): Promise<Database> {
  for (const table of ['agency', 'webhook_stream', 'webhook_event'])
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db);
  const dueAt = new Date(Date.now() - 86_400_000);
  await addDueStreams(db, { prefix: 'early', count: 50, agencyId: 'big', dueAt });
  await sql`analyze`.execute(db);
  await addDueStreams(db, { prefix: 'big', count: backlog, agencyId: 'big', dueAt });
  await addDueStreams(db, { prefix: 'one', count: agencies, dueAt });
  return db;
}

function contender({ name }: Size, db: Database): Contender {
  let lastAgency = '';
  return {
    name,
    async round() {
      const durations: number[] = [];
      for (let call = 0; call < claimsPerRound; call += 1) {
        const startedAt = performance.now();
        // The lease ends at once, so that each claim finds the same number of free events.
        const limits = { now: new Date(), limit: 32, leaseMs: 0, share: 32, underWay: new Map<string, number>() };
        ({ lastAgency } = await claimEvents(db, { ...limits, lastAgency }));
        durations.push(performance.now() - startedAt);
      }
      return median(durations);
    },
  };
}
