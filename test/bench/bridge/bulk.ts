import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Comparison } from '../report.js';
import { measure, type Contender } from '../rounds.js';
import type { Stage } from './stage.js';

const count = 10_000;
/** The bridge's batch size. */
const batchSize = 1_000;
/** Polling without a pause would take processor time from both. */
const pollMs = 5;

/**
 * NPNs a second of a bulk onboarding, from the request to its end, against one statement that
 * writes the same rows.
 */
export async function compareBulk(stage: Stage, rounds: number): Promise<Comparison> {
  await stage.command('registry', 'generate', '--count', String(count), '--mode', 'test');
  const npns = (JSON.parse(await stage.command('registry', 'list', '--limit', String(count))) as { npns: string[] })
    .npns;
  const ours: Contender = { name: 'bridge', round: () => rateOf(stage, () => onboard(stage, npns)) };
  const reference: Contender = { name: 'insert … select', round: () => rateOf(stage, () => insertSelect(stage)) };
  const [first, second] = await measure([ours, reference], rounds);
  if (first === undefined || second === undefined) throw new Error('Two contenders give two results.');
  return {
    what: `bulk onboarding of ${count.toLocaleString('en')}`,
    unit: 'NPNs/s',
    ours: first,
    reference: second,
    target: { least: 0.3 },
  };
}

async function rateOf(stage: Stage, work: () => Promise<void>): Promise<number> {
  await sql`truncate bulk_batch, bulk_onboarding, territory_assignment, team_member, onboarded_producer, subscription`.execute(
    stage.db,
  );
  const startedAt = performance.now();
  await work();
  return count / ((performance.now() - startedAt) / 1_000);
}

async function onboard({ bridgeUrl, token, db }: Stage, npns: readonly string[]): Promise<void> {
  const answer = await fetch(`${bridgeUrl}/v1/account/producer/bulk/onboard`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ npn: npns, onboardType: 'subscribe' }),
  });
  const { id } = (await answer.json()) as { id: string };
  for (;;) {
    const job = await db.selectFrom('bulkOnboarding').select('completedAt').where('id', '=', id).executeTakeFirst();
    if (job?.completedAt) return;
    await setTimeout(pollMs);
  }
}

async function insertSelect({ db, agencyId }: Stage): Promise<void> {
  await sql`
    with job as (
      insert into bulk_onboarding
        (id, agency_id, mode, onboard_type, total_count, success_count, open_batches, created_at, completed_at)
      values (gen_random_uuid(), ${agencyId}, 'test', 'subscribe', ${count}, ${count}, 0, now(), now()) returning id
    ), producers as materialized (
      select npn, (row_number() over (order by npn) - 1) / ${batchSize} as number
      from registry_producer where mode = 'test' order by npn limit ${count}
    ), batches as (
      insert into bulk_batch (bulk_id, number, npns, outcomes, success_count, attempts, due_at)
      select job.id, number, array_agg(npn), array_agg(0), count(*), 0, now() from producers, job group by job.id, number
    ), onboarded as (
      insert into onboarded_producer (agency_id, mode, npn, onboard_type, onboarded_at)
      select ${agencyId}, 'test', npn, 'subscribe', now() from producers
    )
    insert into subscription (agency_id, mode, npn, added_at) select ${agencyId}, 'test', npn, now() from producers
  `.execute(db);
}
