import type { Application, ApplicationState, Mode, WaitingReason } from '../../../contract/index.js';
import { findApplicationWithStates, type ReadStateRow } from '../../store/applications/application-store.js';
import type { Owner } from '../../store/owner.js';
import type { FilingWait } from '../../store/tables/filing-tables.js';
import type { BridgeContext } from '../context.js';
import { isNeverFiled } from '../filings/filings.js';
import { receiptNumberOf } from './receipt-number.js';
import { progressAt } from './steps.js';

/**
 * Reads an application for `getApplication` (operation 19); `undefined` when the owner has none
 * with this id.
 */
export async function readApplication(
  context: Pick<BridgeContext, 'db' | 'links'>,
  owner: Owner,
  applicationId: string,
): Promise<Application | undefined> {
  const found = await findApplicationWithStates(context.db, owner, applicationId);
  if (found === undefined) return undefined;
  const { application, states } = found;
  const byState = new Map(states.map((row) => [row.state, row]));
  return {
    applicationId: application.id,
    sessionId: application.sessionId,
    userId: application.userId,
    applicationType: application.applicationType,
    licenseType: application.licenseType,
    ...(application.submittedAt === null
      ? {}
      : { submittedAt: application.submittedAt.toISOString(), receiptNumber: receiptNumberOf(application.id) }),
    progress: progressAt(application.step, application.paymentMethod),
    // In the order of the partner's request.
    states: application.states.flatMap((state) => {
      const row = byState.get(state);
      return row === undefined ? [] : [describeState(context, application.mode, row)];
    }),
  };
}

function describeState({ links }: Pick<BridgeContext, 'links'>, mode: Mode, row: ReadStateRow): ApplicationState {
  const { applicationId, state, status, actionSerial: serial, actionLinkNumber: linkNumber, actionHash: hash } = row;
  const reason = waitingReason(row) ?? row.reason;
  return {
    state,
    status,
    updatedAt: row.updatedAt.toISOString(),
    ...(status === 'requires_action'
      ? {
          actionUrl: row.actionUrlOverride ?? links.actionUrl({ mode, applicationId, state, serial, linkNumber }, hash),
        }
      : {}),
    ...(reason === null ? {} : { reason }),
    ...row.issuedLicense,
  };
}

/** Why the state does not review the application now, so that "in review" would be wrong. */
function waitingReason(row: ReadStateRow): WaitingReason | undefined {
  const { status, filingStatus, filingSerial, filedAt, waitsFor } = row;
  // A simulated department has no filing.
  if (status !== 'pending_review' || filingStatus === null || filingSerial === null) return undefined;
  // First what the user can do something about.
  if (waitsFor !== null) return waitingReasons[waitsFor];
  return isNeverFiled({ status: filingStatus, serial: filingSerial, filedAt }) ? 'not_filed' : undefined;
}

const waitingReasons = {
  fingerprints: 'waits_for_fingerprints',
  correction: 'waits_for_correction',
} as const satisfies Record<FilingWait, WaitingReason>;
