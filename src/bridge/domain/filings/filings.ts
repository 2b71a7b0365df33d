import type { ApplicationStatus, Mode, StateCode } from '../../../contract/index.js';
import {
  findApplicationState,
  findApplicationStates,
  lockOwnApplication,
  touchApplicationState,
} from '../../store/applications/application-store.js';
import {
  type FilingQuery,
  type FilingRow,
  findFilings,
  insertFilings,
  type ListedFilingRow,
  lockFiling,
  updateFiling,
} from '../../store/filings/filing-store.js';
import type { FilingStatus, FilingWait } from '../../store/tables/filing-tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { ApiError } from '../errors/api-error.js';
import { type AuditActor, recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import type { FilingJob } from '../jobs.js';
import { claimForm, filingForm } from './committing-forms.js';
import { assertAsShown } from '../shown/shown.js';
import { capturePayment, voidPayment } from '../payments/operations.js';
import { nextStatusTime } from './status-time.js';

/** Whether nothing was filed with the state yet, also before it asked the user for something. */
export function isNeverFiled({ status, serial, filedAt }: Pick<FilingRow, 'status' | 'serial' | 'filedAt'>): boolean {
  return (status === 'waiting' || status === 'claimed') && serial === 0 && filedAt === null;
}

/**
 * Adds one waiting filing for each of some states of a submitted application, in the same
 * transaction.
 */
export async function openFilings(
  context: Pick<BridgeContext, 'clock' | 'filingGateway' | 'schedule'>,
  trx: DatabaseTransaction,
  { id, mode, states }: { id: string; mode: Mode; states: readonly StateCode[] },
): Promise<void> {
  await insertFilings(trx, { applicationId: id, states, now: context.clock() });
  for (const state of states) await planSubmission(context, trx, mode, { applicationId: id, state, serial: 0 });
}

/** Returns a filing to the queue after the user answered the department's request. */
export async function reopenFiling(
  context: Pick<BridgeContext, 'clock' | 'filingGateway' | 'schedule'>,
  trx: DatabaseTransaction,
  mode: Mode,
  filing: { applicationId: string; state: StateCode; serial: number },
): Promise<void> {
  const { applicationId, state, serial } = filing;
  const now = context.clock();
  const change = {
    serial,
    status: 'waiting' as const,
    claimedBy: null,
    waitsFor: null,
    attempts: 0,
    lastError: null,
    queuedAt: now,
    updatedAt: now,
  };
  await updateFiling(trx, applicationId, state, change);
  await planSubmission(context, trx, mode, filing);
}

/**
 * Ends the filing of a state that has decided finally. A state that approves has received the
 * application, even if no filing was recorded, so the fees are captured. When every state has
 * denied and none was filed, the fees are released; captured fees stay, and an operator can refund
 * them.
 */
export async function settleFiling(
  context: Pick<BridgeContext, 'clock' | 'schedule'>,
  trx: DatabaseTransaction,
  applicationId: string,
  { state, status }: { state: StateCode; status: ApplicationStatus },
): Promise<void> {
  await updateFiling(trx, applicationId, state, { status: 'answered', waitsFor: null, updatedAt: context.clock() });
  if (status === 'approved') return capturePayment(context, trx, applicationId);
  const states = await findApplicationStates(trx, applicationId);
  if (states.every((each) => each.status === 'denied')) await voidPayment(context, trx, applicationId);
}

/**
 * Returns the filing of a corrected decision to where it was: with the state, or in the queue when
 * the state has returned no reference. People decide it from then on: the answer of a gateway would
 * repeat the decision. Fees stay as they are.
 */
export async function unsettleFiling(
  context: Pick<BridgeContext, 'clock'>,
  trx: DatabaseTransaction,
  applicationId: string,
  state: StateCode,
): Promise<void> {
  const filing = await lockFiling(trx, applicationId, state);
  const status = (filing?.reference ?? '') === '' ? 'waiting' : 'filed';
  const now = context.clock();
  await updateFiling(trx, applicationId, state, { status, claimedBy: null, queuedAt: now, updatedAt: now });
}

async function planSubmission(
  { filingGateway: gateway, schedule }: Pick<BridgeContext, 'filingGateway' | 'schedule'>,
  trx: DatabaseTransaction,
  mode: Mode,
  key: Pick<FilingJob, 'applicationId' | 'state' | 'serial'>,
): Promise<void> {
  // A gateway submits to a real department.
  if (mode === 'test' || gateway?.kind !== 'automatic' || !gateway.serves(key.state)) return;
  await schedule(trx, 'filing', { task: 'submit', ...key, attempt: 0 }, 0);
}

/** Reads the filings of a list, oldest first. */
export function listFilings({ db }: Pick<BridgeContext, 'db'>, query: FilingQuery): Promise<ListedFilingRow[]> {
  return findFilings(db, query);
}

/**
 * Claims a waiting filing, so that two people do not file the same application. Claiming it again
 * by the same operator changes nothing.
 *
 * @throws ApiError `unknown_application`, or `invalid_transition` when another operator has claimed
 *   it or it is filed.
 */
export function claimFiling(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  filing: { applicationId: string; state: StateCode; actor: AuditActor },
): Promise<void> {
  return change(context, filing, 'filing.claimed', ['waiting', 'claimed'], (row) => {
    if (row.status === 'claimed' && row.claimedBy !== filing.actor)
      throw new ApiError('invalid_transition', 'status: another operator has claimed this filing');
    return { status: 'claimed', claimedBy: filing.actor };
  });
}

/**
 * Gives a filing that is not with its state yet to a colleague of a supervisor, also one that another
 * colleague has claimed.
 *
 * @throws ApiError `unknown_application`, or `invalid_transition` when it is filed.
 */
export function assignFiling(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  filing: { applicationId: string; state: StateCode; actor: AuditActor; colleague: AuditActor },
): Promise<void> {
  const { colleague } = filing;
  const given = { ...filing, result: colleague };
  return change(context, given, 'filing.assigned', ['waiting', 'claimed'], () => ({
    status: 'claimed',
    claimedBy: colleague,
  }));
}

/**
 * Returns a filing to the queue that the operator has claimed.
 *
 * @throws ApiError `unknown_application`, or `invalid_transition` when the operator has not claimed
 *   it.
 */
export function releaseFiling(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  filing: { applicationId: string; state: StateCode; actor: AuditActor },
): Promise<void> {
  return change(context, filing, 'filing.released', ['claimed'], (row) => {
    if (row.claimedBy !== filing.actor)
      throw new ApiError('invalid_transition', 'status: another operator has claimed this filing');
    return { status: 'waiting', claimedBy: null };
  });
}

/**
 * Returns a filing to the queue that a colleague of a supervisor has claimed.
 *
 * @throws ApiError `unknown_application`, or `invalid_transition` when it is not claimed.
 * @throws ChangedSinceShownError when the claim is not that of the page.
 */
export function releaseClaim(
  context: Pick<BridgeContext, 'db' | 'keys' | 'clock'>,
  filing: {
    applicationId: string;
    state: StateCode;
    actor: AuditActor;
    /** Why, for the audit trail. */
    note: string;
    /** The token of the page of the claim. */
    shown: string;
  },
): Promise<void> {
  return change(context, filing, 'filing.released', ['claimed'], (row) => {
    assertAsShown(context, claimForm, row, filing.shown);
    return { status: 'waiting', claimedBy: null };
  });
}

/**
 * Records that an application was filed with the state. Repeating it with the same reference
 * changes nothing. The first filing of an application captures the reserved fees.
 *
 * @throws ApiError `unknown_application`, or `invalid_transition` when another operator has claimed
 *   it, or it was filed with another reference.
 * @throws ChangedSinceShownError when the filing is not that of the page.
 */
export function markFiled(
  context: Pick<BridgeContext, 'db' | 'keys' | 'clock' | 'schedule'>,
  filing: {
    applicationId: string;
    state: StateCode;
    /** The number of the request that the gateway answered. Default: any. */
    serial?: number;
    reference: string;
    actor: AuditActor;
    /** The token of the page of the filing. Default: no page was shown. */
    shown?: string;
  },
): Promise<void> {
  const { serial, reference, actor, shown } = filing;
  return change(
    context,
    filing,
    'filing.filed',
    ['waiting', 'claimed', 'filed', 'answered'],
    (row) => {
      // The gateway took so long that the state has asked again since: its reference is of the
      // earlier filing.
      if (serial !== undefined && serial !== row.serial)
        throw new ApiError('invalid_transition', 'reference: the state has asked again since');
      const isFiled = row.status === 'filed' || row.status === 'answered';
      if (isFiled && row.reference === reference) return undefined;
      if (isFiled) throw new ApiError('invalid_transition', 'reference: this is filed already');
      if (shown !== undefined) assertAsShown(context, filingForm, row, shown);
      if (row.status === 'claimed' && row.claimedBy !== actor)
        throw new ApiError('invalid_transition', 'status: another operator has claimed this filing');
      return {
        status: 'filed',
        reference,
        filedBy: actor,
        filedAt: context.clock(),
        claimedBy: null,
        lastError: null,
      };
    },
    async (trx, row) => {
      if (isNeverFiled(row)) await showReason(context, trx, row);
      await capturePayment(context, trx, filing.applicationId);
    },
  );
}

/**
 * Corrects the reference of a filing, such as a typing error. The audit trail keeps both.
 *
 * @throws ApiError `unknown_application`, or `invalid_transition` when nothing was filed, or another
 *   operator has corrected it since the page was shown.
 */
export function correctReference(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  filing: {
    applicationId: string;
    state: StateCode;
    actor: AuditActor;
    /** The wrong one, as the page showed it. */
    from: string;
    reference: string;
  },
): Promise<void> {
  const { from, reference } = filing;
  const noted = { ...filing, note: `${from} → ${reference}` };
  return change(context, noted, 'filing.reference_corrected', ['filed', 'answered'], (row) => {
    if (row.reference !== from) throw new ApiError('invalid_transition', 'reference: it was changed in the meantime');
    return reference === from ? undefined : { reference };
  });
}

/**
 * Records what a state waits for, which the user reads in place of "In review". A correction is of what
 * the state has received.
 *
 * @param filing.waitsFor `null` when the state continues.
 * @throws ApiError `unknown_application`, or `invalid_transition` when the state has decided or asked
 *   the user, another operator has claimed the filing, or nothing was filed that could be corrected.
 */
export function holdFiling(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  filing: { applicationId: string; state: StateCode; actor: AuditActor; waitsFor: FilingWait | null },
): Promise<void> {
  const { waitsFor, actor } = filing;
  return change(
    context,
    { ...filing, result: waitsFor ?? 'nothing' },
    'filing.held',
    ['waiting', 'claimed', 'filed'],
    (row) => {
      if (row.status === 'claimed' && row.claimedBy !== actor)
        throw new ApiError('invalid_transition', 'status: another operator has claimed this filing');
      if (waitsFor === 'correction' && row.status !== 'filed')
        throw new ApiError('invalid_transition', 'waitsFor: nothing was filed that could be corrected');
      return row.waitsFor === waitsFor ? undefined : { waitsFor };
    },
    async (trx, row) => {
      if (!(await showReason(context, trx, row)))
        throw new ApiError('invalid_transition', 'status: the state does not review the application');
    },
  );
}

/**
 * Moves the time of the status on when its reason changes, such as when `not_filed` ends, because
 * readers take the later of two answers for the right one. No event: the status is the same. Resolves
 * with `false` when the state is not in review.
 */
async function showReason(
  context: Pick<BridgeContext, 'clock'>,
  trx: DatabaseTransaction,
  { applicationId, state }: FilingRow,
): Promise<boolean> {
  const current = await findApplicationState(trx, applicationId, state);
  if (current?.status !== 'pending_review') return false;
  await touchApplicationState(trx, applicationId, state, nextStatusTime(context, current));
  return true;
}

type FilingChange = Partial<
  Pick<FilingRow, 'status' | 'claimedBy' | 'waitsFor' | 'reference' | 'filedBy' | 'filedAt' | 'lastError'>
>;

async function change(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  {
    applicationId,
    state,
    actor,
    note,
    result = 'done',
  }: { applicationId: string; state: StateCode; actor: AuditActor; note?: string; result?: string },
  action:
    | 'filing.assigned'
    | 'filing.claimed'
    | 'filing.released'
    | 'filing.filed'
    | 'filing.reference_corrected'
    | 'filing.held',
  from: readonly FilingStatus[],
  changeOf: (row: FilingRow) => FilingChange | undefined,
  also?: (trx: DatabaseTransaction, before: FilingRow) => Promise<void>,
): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    // Before the filing, as the moves of a state lock them.
    const application = await lockOwnApplication(trx, applicationId);
    const row = await lockFiling(trx, applicationId, state);
    if (application === undefined || row === undefined)
      throw new ApiError('unknown_application', 'state: nothing is to be filed with this state');
    if (!from.includes(row.status)) throw new ApiError('invalid_transition', `status: the filing is ${row.status}`);
    const changed = changeOf(row);
    if (changed === undefined) return;
    await updateFiling(trx, applicationId, state, { ...changed, updatedAt: context.clock() });
    await also?.(trx, row);
    await recordAudit(trx, context, {
      agencyId: application.agencyId,
      mode: application.mode,
      actor,
      action,
      subject: `${applicationId}/${state}`,
      result,
      note,
    });
  });
}
