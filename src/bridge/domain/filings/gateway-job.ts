import { AdapterError, adapterErrorCode } from '../../ports/adapter-error.js';
import type { AutomaticFilingGateway } from '../../ports/filing-gateway.js';
import { findFiling, lockFiling, updateFiling } from '../../store/filings/filing-store.js';
import { inTransaction } from '../../store/transaction.js';
import { ApiError } from '../errors/api-error.js';
import { decideState } from './departments.js';
import type { BridgeContext } from '../context.js';
import type { FilingJob } from '../jobs.js';
import { markFiled } from './filings.js';
import { readPackage } from './package.js';

const firstPauseSeconds = 15;
const longestPauseSeconds = 3_600;
const defaultLookUpSeconds = 900;

/**
 * Submits a filing by the gateway, or reads the status from the gateway. Durable: failures are
 * retried with pauses that grow to an hour, and another instance runs a job that an instance did
 * not finish. Repeating it is safe, because a gateway is idempotent.
 */
export async function runFilingJob(context: BridgeContext, job: FilingJob): Promise<void> {
  const { filingGateway: gateway } = context;
  const filing = await findFiling(context.db, job.applicationId, job.state);
  // The state has decided meanwhile, or the user has answered a later request.
  if (gateway?.kind !== 'automatic' || filing?.serial !== job.serial || filing.status === 'answered') return;
  try {
    if (job.task === 'look_up') await lookUp(context, gateway, job, filing.reference ?? '');
    // A person has claimed it and files it.
    else if (filing.status === 'waiting') await submit(context, gateway, job);
  } catch (error) {
    await planAgain(context, job, adapterErrorCode(error));
  }
}

async function submit(context: BridgeContext, gateway: AutomaticFilingGateway, job: FilingJob): Promise<void> {
  const { applicationId, state, serial } = job;
  const filed = await readPackage(context, { applicationId, state, actor: 'gateway' });
  if (filed === undefined) return;
  const outcome = await gateway.submit({ ...filed, serial });
  if (outcome.status === 'refused') {
    // It stays in the queue, which shows the code.
    await recordFailure(context, job, outcome.code);
    return;
  }
  // Without a reference no decision could follow. The contract lets it be submitted again.
  if (outcome.reference.trim() === '') throw new AdapterError('filingGateway', 'submit', 'no_reference');
  await markFiled(context, { applicationId, state, serial, reference: outcome.reference, actor: 'gateway' });
  await plan(context, { ...job, task: 'look_up', attempt: 0 }, gateway.lookUpSeconds ?? defaultLookUpSeconds);
}

async function lookUp(
  context: BridgeContext,
  gateway: AutomaticFilingGateway,
  job: FilingJob,
  reference: string,
): Promise<void> {
  const { applicationId, state, serial } = job;
  const answer = await gateway.lookUp({ applicationId, state, serial, reference });
  if (answer.status === 'pending') {
    await plan(context, { ...job, attempt: 0 }, gateway.lookUpSeconds ?? defaultLookUpSeconds);
    return;
  }
  try {
    const decision = { ...answer, applicationId, state, from: 'pending_review' as const, serial };
    // An adapter is not typed at run time: only a person overrides.
    await decideState(context, { ...decision, actor: 'gateway', override: undefined });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Of a license that cannot be, such as one that expires before its issue.
    if (error.failure === 'invalid_request') throw new AdapterError('filingGateway', 'lookUp', 'wrong_license');
    // Otherwise an operator has entered the decision already.
  }
}

async function planAgain(context: BridgeContext, job: FilingJob, code: string): Promise<void> {
  const { applicationId, state, attempt } = job;
  // Only the code: the message of an adapter's error may quote the package.
  context.log.warn(
    { applicationId, state, task: job.task, attempt, code },
    'The filing gateway failed. The filing is tried again.',
  );
  await recordFailure(context, job, code);
  const pause = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(attempt, 10));
  await plan(context, { ...job, attempt: attempt + 1 }, pause);
}

async function recordFailure(
  context: BridgeContext,
  { applicationId, state, serial }: FilingJob,
  code: string,
): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const row = await lockFiling(trx, applicationId, state);
    // The user has answered a later request, which has its own job.
    if (row?.serial !== serial) return;
    const change = { attempts: row.attempts + 1, lastError: code.slice(0, 60), updatedAt: context.clock() };
    await updateFiling(trx, applicationId, state, change);
  });
}

function plan(context: BridgeContext, job: FilingJob, afterSeconds: number): Promise<void> {
  return inTransaction(context.db, (trx) => context.schedule(trx, 'filing', job, afterSeconds));
}
