import { type ApplicationStatus, type StateCode, statusTransitions, testSsns } from '../../../contract/index.js';
import {
  findApplicationState,
  insertPendingStates,
  lockOwnApplication,
  updateApplicationState,
} from '../../store/applications/application-store.js';
import type { Owner } from '../../store/owner.js';
import { findFiling } from '../../store/filings/filing-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { Database, DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { ApiError } from '../errors/api-error.js';
import { type AuditActor, recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import type { DepartmentJob } from '../jobs.js';
import { currentRequestId } from '../request-id.js';
import { type DecidableState, decisionForm } from './committing-forms.js';
import { assertAsShown } from '../shown/shown.js';
import { enqueueEvent } from '../webhooks/events.js';
import { openFilings, reopenFiling, settleFiling } from './filings.js';

/**
 * The delay of a simulated department in seconds, unless a test SSN requests an immediate decision.
 */
const departmentDelaySeconds = 3;

/** The reasons of the simulated department. */
const simulatedReasons: Readonly<Record<DepartmentJob['status'], string | undefined>> = {
  approved: undefined,
  denied: 'The department denied the application (simulated).',
  requires_action: 'The department asks for a document that explains an answer (simulated).',
};

/** The dependencies of a decision. */
type DecisionContext = Pick<BridgeContext, 'db' | 'keys' | 'clock' | 'links' | 'wakeOutbox' | 'schedule'>;

/** A decision of a department. */
export interface Decision {
  applicationId: string;
  state: StateCode;
  status: ApplicationStatus;
  /** The reason, in the department's words. */
  reason?: string | undefined;
  /**
   * The URL where the user can answer, with `requires_action`. Default: a page of the hosted
   * application.
   */
  actionUrl?: string | undefined;
  /** The owner of the application. Default: any. */
  owner?: Owner | undefined;
  /** The actor, for the audit trail. Absent for a simulated department. */
  actor?: AuditActor | undefined;
  /** The token of the page of the decision. Default: no page was shown, as at the command line. */
  shown?: string | undefined;
  /** The required current status. Default: any that allows the change. */
  from?: ApplicationStatus | undefined;
  /**
   * The number of the state's request that the decision follows. Default: any. A department's answer
   * that arrives late must not decide a filing that the user has completed since.
   */
  serial?: number | undefined;
}

/**
 * Sends a submitted application to the departments. In test mode they are simulated, and the last
 * four digits of the SSN select their decisions.
 */
export async function receiveSubmission(
  context: BridgeContext,
  trx: DatabaseTransaction,
  application: ApplicationRow,
  ssnLast4: string,
): Promise<void> {
  await insertPendingStates(trx, application, context.clock());
  if (application.mode !== 'test') return openFilings(context, trx, application);
  const magic = testSsns.find((ssn) => ssn.last4 === ssnLast4);
  const status = magic === undefined ? 'approved' : magic.then[0];
  if (status === undefined || status === 'pending_review') return;
  const afterSeconds = magic === undefined ? departmentDelaySeconds : 0;
  for (const state of application.states) {
    await context.schedule(trx, 'department', { applicationId: application.id, state, status }, afterSeconds);
  }
}

/**
 * Records that the user answered a state's request. In test mode the department then approves,
 * after a short delay.
 *
 * @throws ApiError `invalid_transition` when the state has no open request.
 */
export async function answerAction(
  context: BridgeContext,
  trx: DatabaseTransaction,
  application: ApplicationRow,
  state: StateCode,
): Promise<void> {
  await moveState(context, trx, application, { state, status: 'pending_review', from: 'requires_action' });
  if (application.mode !== 'test') {
    const current = await findApplicationState(trx, application.id, state);
    const serial = current?.actionSerial ?? 0;
    return reopenFiling(context, trx, { applicationId: application.id, state, serial });
  }
  await context.schedule(
    trx,
    'department',
    { applicationId: application.id, state, status: 'approved' },
    departmentDelaySeconds,
  );
}

/** A state of a submitted application and its filing; `undefined` when there is none. */
export async function findDecidable(
  db: Database,
  applicationId: string,
  state: StateCode,
): Promise<DecidableState | undefined> {
  const found = await findApplicationState(db, applicationId, state);
  return found && { state: found, filing: await findFiling(db, applicationId, state) };
}

/**
 * Records a decision of a department: changes the status and writes the events in one transaction.
 *
 * @throws ApiError `unknown_application` or `invalid_transition`.
 * @throws ChangedSinceShownError when the state or its filing are not those of the page.
 */
export async function decideState(context: DecisionContext, decision: Decision): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const application = await lockOwnApplication(trx, decision.applicationId, decision.owner);
    if (application === undefined) {
      throw new ApiError('unknown_application', 'applicationId: expected the id of an application');
    }
    const { actor, applicationId, state, status, shown } = decision;
    const decidable = shown === undefined ? undefined : await findDecidable(trx, applicationId, state);
    if (shown !== undefined && decidable) assertAsShown(context, decisionForm, decidable, shown);
    await moveState(context, trx, application, decision);
    if (actor === undefined) return;
    await recordAudit(trx, context, {
      agencyId: application.agencyId,
      mode: application.mode,
      actor,
      action: 'state.decided',
      subject: `${applicationId}/${state}`,
      result: status,
    });
  });
  context.wakeOutbox();
}

/**
 * Records the decision of a simulated department, unless the status has changed meanwhile.
 * Idempotent.
 */
export async function decideSimulated(
  context: DecisionContext & Pick<BridgeContext, 'log'>,
  { applicationId, state, status }: DepartmentJob,
): Promise<void> {
  const decided = { applicationId, state, status };
  context.log.info({ requestId: currentRequestId(), ...decided }, 'A simulated department decides.');
  const decision = { applicationId, state: state as StateCode, status, reason: simulatedReasons[status] };
  try {
    await decideState(context, { ...decision, from: 'pending_review' });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/**
 * The only function that changes a status. The application's row is locked, so that of two
 * concurrent changes the second sees the first.
 */
async function moveState(
  context: Pick<BridgeContext, 'clock' | 'links' | 'schedule'>,
  trx: DatabaseTransaction,
  application: ApplicationRow,
  { state, status, reason, actionUrl, from, serial: expected }: Omit<Decision, 'applicationId' | 'owner'>,
): Promise<void> {
  if (!application.states.includes(state)) {
    throw new ApiError('unknown_application', 'state: expected one of the states applied for');
  }
  const current = await findApplicationState(trx, application.id, state);
  if (current === undefined) throw new ApiError('invalid_transition', 'status: the application is not submitted yet');
  if (expected !== undefined && expected !== current.actionSerial) {
    throw new ApiError('invalid_transition', 'status: the state has asked again since');
  }
  if (!statusTransitions[current.status].includes(status) || (from !== undefined && from !== current.status)) {
    throw new ApiError('invalid_transition', `status: ${current.status} cannot become ${status}`);
  }

  const now = context.clock();
  const asksForAction = status === 'requires_action';
  // Each request has a new link: links of earlier requests stay invalid.
  const serial = current.actionSerial + (asksForAction ? 1 : 0);
  await updateApplicationState(trx, application.id, state, {
    status,
    reason: reason === undefined || reason === '' ? null : reason,
    actionSerial: serial,
    actionHash: asksForAction ? context.links.actionLinkHash({ applicationId: application.id, state, serial }) : null,
    actionUrlOverride: asksForAction ? (actionUrl ?? null) : null,
    updatedAt: now,
  });
  const isFinal = statusTransitions[status].length === 0;
  if (isFinal && application.mode === 'live') await settleFiling(context, trx, application.id, { state, status });
  await enqueueEvent(trx, application, 'application.status_changed', { states: [{ state, status }] }, now);
  if (!asksForAction) return;
  const asked = {
    state,
    reason: reason ?? '',
    actionSerial: serial,
    ...(actionUrl === undefined ? {} : { actionUrl }),
  };
  await enqueueEvent(trx, application, 'application.requires_action', asked, now);
}
