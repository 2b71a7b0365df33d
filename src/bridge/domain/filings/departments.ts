import { type Language, type StateCode, testSsns } from '../../../contract/index.js';
import {
  findApplicationById,
  findApplicationState,
  insertPendingStates,
} from '../../store/applications/application-store.js';
import type { Owner } from '../../store/owner.js';
import { findFiling } from '../../store/filings/filing-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { Database, DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { lockApplication } from '../applications/lock-application.js';
import { readSigningFacts } from '../applications/signature.js';
import { ApiError } from '../errors/api-error.js';
import { recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import type { DepartmentJob } from '../jobs.js';
import { currentRequestId } from '../request-id.js';
import { type DecidableState, decisionForm } from './committing-forms.js';
import { assertAsShown } from '../shown/shown.js';
import { openFilings, reopenFiling } from './filings.js';
import { knownLines, type LicenseContext } from './issued-license.js';
import { hasReference, moveState, type StateMove } from './move-state.js';

/**
 * The delay of a simulated department in seconds, unless a test SSN requests an immediate decision.
 */
const departmentDelaySeconds = 3;

/** The reasons of the simulated department. An approval has none. */
const simulatedReasons: Readonly<Record<Language, Readonly<Partial<Record<DepartmentJob['status'], string>>>>> = {
  en: {
    denied: 'The department denied the application (simulated).',
    requires_action: 'The department asks for a document that explains an answer (simulated).',
  },
  es: {
    denied: 'El departamento denegó la solicitud (simulado).',
    requires_action: 'El departamento pide un documento que explique una respuesta (simulado).',
  },
};

/** The dependencies of a decision. */
export type DecisionContext = LicenseContext &
  Pick<BridgeContext, 'db' | 'keys' | 'clock' | 'links' | 'mailer' | 'wakeOutbox' | 'schedule'>;

/** A decision of a department. */
export interface Decision extends StateMove {
  applicationId: string;
  /** The owner of the application. Default: any. */
  owner?: Owner | undefined;
  /** The token of the page of the decision. Default: no page was shown, as at the command line. */
  shown?: string | undefined;
}

/**
 * Sends a submitted application to the departments. In test mode they are simulated, and the last
 * four digits of the SSN select their decisions, unless people file with the state
 * (`BRIDGE_TEST_FILING`).
 */
export async function receiveSubmission(
  context: BridgeContext,
  trx: DatabaseTransaction,
  application: ApplicationRow,
  ssnLast4: string,
): Promise<void> {
  await insertPendingStates(trx, application, context.clock());
  const isTest = application.mode === 'test';
  const byPeople = application.states.filter((state) => !isTest || context.settings.testFiling.includes(state));
  if (byPeople.length > 0) await openFilings(context, trx, { ...application, states: byPeople });
  const magic = testSsns.find((ssn) => ssn.last4 === ssnLast4);
  const status = magic === undefined ? 'approved' : magic.then[0];
  if (status === undefined || status === 'pending_review') return;
  const afterSeconds = magic === undefined ? departmentDelaySeconds : 0;
  for (const state of application.states) {
    if (byPeople.includes(state)) continue;
    await context.schedule(trx, 'department', { applicationId: application.id, state, status }, afterSeconds);
  }
}

/**
 * Records that the user answered a state's request. A simulated department then approves, after a
 * short delay.
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
  if (application.mode !== 'test' || (await findFiling(trx, application.id, state)) !== undefined) {
    const current = await findApplicationState(trx, application.id, state);
    const serial = current?.actionSerial ?? 0;
    return reopenFiling(context, trx, application.mode, { applicationId: application.id, state, serial });
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
  context: LicenseContext,
  db: Database,
  applicationId: string,
  state: StateCode,
): Promise<DecidableState | undefined> {
  const found = await findApplicationState(db, applicationId, state);
  if (found === undefined) return undefined;
  const application = await findApplicationById(db, applicationId);
  const filing = await findFiling(db, applicationId, state);
  return {
    mode: application.mode,
    isErased: application.erasedAt !== null,
    state: found,
    filing,
    isPaidByUser: application.paymentMethod === 'user_pays',
    isUnfiled: (application.mode === 'live' || filing !== undefined) && !hasReference(filing),
    lines: await knownLines(context, db, application, state),
  };
}

/**
 * Records a decision of a department: changes the status and writes the events in one transaction.
 *
 * @throws ApiError `unknown_application`, `invalid_transition` or `invalid_request`: see
 *   {@link moveState}.
 * @throws ChangedSinceShownError when the state or its filing are not those of the page.
 */
export async function decideState(context: DecisionContext, decision: Decision): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const application = await lockApplication(trx, decision.applicationId, decision.owner);
    const { actor, applicationId, state, status, shown } = decision;
    const decidable = shown === undefined ? undefined : await findDecidable(context, trx, applicationId, state);
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
      note: decision.feeCents === undefined ? undefined : `further fee: ${decision.feeCents} cents`,
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
  const signed = await readSigningFacts(context, applicationId);
  const reason = simulatedReasons[signed?.language ?? 'en'][status];
  try {
    await decideState(context, { applicationId, state: state as StateCode, status, reason, from: 'pending_review' });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
