import { setTimeout as pause } from 'node:timers/promises';
import type { BulkDetails, BulkStart, BulkStatus } from '../../../src/contract/index.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import type { Partner } from './partner.js';

/** A started job, as its agency recorded it. */
export interface StartedJob {
  id: string;
  partner: Partner;
  npns: string[];
}

const npnsPerJob = 10_000;
/** NPNs of each request that do not exist. */
const unknownPerJob = 1_000;
const startedAtOnce = 2;
/**
 * The distance between the first producers of two jobs. Consecutive jobs share a third, and a third
 * of each is in no other job.
 */
const stride = 6_000;

/** Starts jobs of 10,000 NPNs for an agency while `goesOn` is true; some run at the same time. */
export async function loadWithJobs(
  partner: Partner,
  known: readonly string[],
  goesOn: () => boolean,
): Promise<StartedJob[]> {
  const jobs: StartedJob[] = [];
  let start = 0;
  const lane = async () => {
    while (goesOn()) {
      const npns = npnsFrom(known, start);
      start = (start + stride) % (known.length - npnsPerJob);
      const { id } = await partner.call<BulkStart>('POST', '/v1/account/producer/bulk/onboard', {
        npn: npns,
        onboardType: 'subscribe',
      });
      const job = { id, partner, npns };
      jobs.push(job);
      await finished(job);
      // Leaves processor time for the webhooks.
      await pause(1_000);
    }
  };
  await Promise.all(Array.from({ length: startedAtOnce }, lane));
  return jobs;
}

/** Consecutive known NPNs, with unknown ones between them. */
function npnsFrom(known: readonly string[], start: number): string[] {
  const some = known.slice(start, start + npnsPerJob - unknownPerJob);
  const unknown = Array.from({ length: unknownPerJob }, (_, index) => String(index + 1));
  return some.flatMap((npn, index) => (index % 9 === 0 ? [npn, unknown[index / 9] ?? ''] : [npn]));
}

async function finished({ id, partner }: StartedJob): Promise<BulkStatus> {
  for (;;) {
    const status = await partner.call<BulkStatus>('GET', `/v1/account/producer/bulk/status/${id}`);
    if (status.npns.length > 0) return status;
    await pause(250);
  }
}

/** The problems in an agency's jobs and their results, one sentence each. */
export async function checkJobs(db: Database, jobs: readonly StartedJob[], known: ReadonlySet<string>) {
  const wrong: string[] = [];
  for (const job of jobs) {
    const status = await finished(job);
    const failed = job.npns.filter((npn) => !known.has(npn));
    if (!same(status.npns, job.npns)) wrong.push(`Job ${job.id} has other NPNs than its request.`);
    if (!same(status.failedNpns, failed)) wrong.push(`Job ${job.id} reports the wrong NPNs as failed.`);
    if (status.successCount !== job.npns.length - failed.length || status.failureCount !== failed.length)
      wrong.push(`Job ${job.id} counts ${status.successCount} + ${status.failureCount}.`);
    const page = 1 + Math.floor((job.npns.length - failed.length - 1) / 50);
    const details = await job.partner.call<BulkDetails>(
      'GET',
      `/v1/account/producer/bulk/details/${job.id}?page=${page}`,
    );
    const last = job.npns.findLast((npn) => known.has(npn));
    if (details.totalCount !== status.successCount || details.details.at(-1)?.biographic.npn !== last)
      wrong.push(`Job ${job.id} shows another last page than its request has.`);
  }
  for (const partner of new Set(jobs.map((job) => job.partner))) {
    const wanted = new Set(jobs.filter((job) => job.partner === partner).flatMap(({ npns }) => npns));
    for (const npn of wanted) if (!known.has(npn)) wanted.delete(npn);
    wrong.push(...(await checkRows(db, partner.agencyId, wanted)));
  }
  const open = await db.selectFrom('bulkOnboarding').select('id').where('completedAt', 'is', null).execute();
  wrong.push(...open.map(({ id }) => `Job ${id}, whose start was not answered, is not finished.`));
  return wrong;
}

/**
 * A start without a response was repeated with the same NPNs, so the union of NPNs is known in any
 * case.
 */
async function checkRows(db: Database, agencyId: string, wanted: ReadonlySet<string>): Promise<string[]> {
  const wrong: string[] = [];
  for (const table of ['subscription', 'onboardedProducer'] as const) {
    const rows = await db.selectFrom(table).select('npn').where('agencyId', '=', agencyId).execute();
    const there = new Set(rows.map(({ npn }) => String(npn)));
    const lost = [...wanted].filter((npn) => !there.has(npn)).length;
    const tooMany = rows.filter(({ npn }) => !wanted.has(String(npn))).length + rows.length - there.size;
    if (lost + tooMany > 0) wrong.push(`${table}: ${lost} NPNs lost, ${tooMany} too many.`);
  }
  return wrong;
}

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((npn, index) => npn === right[index]);
}
