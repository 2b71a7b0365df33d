import { type Application, type ApplicationState, notFiledReason } from '../../../contract/index.js';
import { findApplicationWithStates, type ReadStateRow } from '../../store/applications/application-store.js';
import type { Owner } from '../../store/owner.js';
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
      return row === undefined ? [] : [describeState(context, row)];
    }),
  };
}

function describeState({ links }: Pick<BridgeContext, 'links'>, row: ReadStateRow): ApplicationState {
  const { applicationId, state, status, actionSerial: serial, actionHash: hash } = row;
  const reason = isUnfiled(row) ? notFiledReason : row.reason;
  return {
    state,
    status,
    updatedAt: row.updatedAt.toISOString(),
    ...(status === 'requires_action'
      ? { actionUrl: row.actionUrlOverride ?? links.actionUrl({ applicationId, state, serial }, hash) }
      : {}),
    ...(reason === null ? {} : { reason }),
    ...row.issuedLicense,
  };
}

/** Whether nobody has filed with the state, so that "in review" would be wrong. */
function isUnfiled({ status, filingStatus, filingSerial, filedAt }: ReadStateRow): boolean {
  // Test mode has no filings.
  if (status !== 'pending_review' || filingStatus === null || filingSerial === null) return false;
  return isNeverFiled({ status: filingStatus, serial: filingSerial, filedAt });
}
