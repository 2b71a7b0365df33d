import { sql } from 'kysely';
import { operations, type OperationId } from '../../../src/contract/index.js';
import type { Comparison } from '../report.js';
import { measure, median, type Contender } from '../rounds.js';
import { prepare, scenarios, send, type Prepared } from './operations.js';
import { startStage, type Stage } from './stage.js';

/** The number of rows. */
interface Size {
  producers: number;
  sessions: number;
}

const small: Size = { producers: 1_000, sessions: 100 };
const large: Size = { producers: 1_000_000, sessions: 100_000 };
/** Short and many rounds, so that other load on the machine affects both sides alike. */
const rounds = 21;
const callsPerRound = 15;

/**
 * Compares each operation's median at many producers and sessions with few. Two bridges on two new
 * databases are called in turns, without the data of other benchmarks.
 */
export async function compareGrowth(): Promise<Comparison[]> {
  const [smallStage, largeStage] = [await startStage(), await startStage()];
  try {
    const few = await fill(smallStage, small);
    const many = await fill(largeStage, large);
    const comparisons: Comparison[] = [];
    for (const id of Object.keys(scenarios) as (keyof typeof scenarios)[]) {
      const results = await measure([contender(id, many), contender(id, few)], rounds);
      const [ours, reference] = results;
      if (ours === undefined || reference === undefined) throw new Error('Two contenders give two results.');
      comparisons.push({ what: `${id} at a million`, unit: 'ms', ours, reference, target: { most: 1.3 } });
    }
    return comparisons;
  } finally {
    await smallStage.stop();
    await largeStage.stop();
  }
}

async function fill(stage: Stage, { producers, sessions }: Size): Promise<Prepared> {
  await stage.command('registry', 'generate', '--count', String(producers), '--mode', 'test');
  await sql`insert into applicant (agency_id, mode, user_id, profile, created_at, updated_at)
    select ${stage.agencyId}, 'test', 'usr_' || n, '{}', now(), now() from generate_series(1, ${sessions}) n`.execute(
    stage.db,
  );
  await sql`insert into application (id, session_id, agency_id, mode, user_id, application_type, license_type, states, states_key,
      catalogue_version, payment_method, return_url, link_hash, step, created_at, expires_at, started_at)
    select 'app_' || n, 'ses_' || n, ${stage.agencyId}, 'test', 'usr_' || n, 'new', 'life_health', '{TX,CA}', 'CA,TX', '', 'user_pays',
      'https://partner.example/done', convert_to('hash' || n, 'utf8'), 'not_started', now(), now() + interval '1 day',
      -- Half of them begun, which a new session is held against.
      case when n % 2 = 0 then now() end
    from generate_series(1, ${sessions}) n`.execute(stage.db);
  await sql`analyze`.execute(stage.db);
  return prepare(stage);
}

function contender(id: keyof typeof scenarios & OperationId, stage: Prepared): Contender {
  return {
    name: `${id} ${stage.bridgeUrl}`,
    async round() {
      const durations: number[] = [];
      for (let call = 0; call < callsPerRound; call += 1) {
        const ready = await scenarios[id](stage);
        const startedAt = performance.now();
        await send(stage, operations[id].method, ready);
        durations.push(performance.now() - startedAt);
      }
      return median(durations);
    },
  };
}
