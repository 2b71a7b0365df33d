import { findNewestEntryId } from '../../store/audit/audit-store.js';
import { lockOwnApplication } from '../../store/applications/application-store.js';
import { inTransaction } from '../../store/transaction.js';
import { longestReason, shortestReason } from '../applications/reveal.js';
import { type AuditAction, type AuditActor, recordAudit } from '../audit/audit.js';
import { ApiError } from '../errors/api-error.js';
import { assertAsShown } from '../shown/shown.js';
import { correctionForm } from './committing-forms.js';
import { type DecisionContext, findDecidable } from './departments.js';
import { correctState, type StateMove } from './move-state.js';

/** A correction of a decision that was entered by mistake. */
export interface Correction extends Omit<StateMove, 'actionUrl' | 'from' | 'serial'> {
  applicationId: string;
  actor: AuditActor;
  /** Why the decision is wrong, for the audit trail. */
  note: string;
  /** The token of the page of the correction. Default: no page was shown, as at the command line. */
  shown?: string | undefined;
}

/** The entries of decisions. */
const decisionActions: readonly AuditAction[] = ['state.decided', 'state.corrected'];

/**
 * Corrects a decision of a live state: back to `pending_review`, or to the other decision, which has
 * the rules of a decision. The partner is notified again. The audit entry names the corrected one. No
 * money moves: an operator refunds, and fees that were released stay released.
 *
 * @throws ApiError `unknown_application`, `invalid_transition` or `invalid_request`: see
 *   {@link correctState}.
 * @throws ChangedSinceShownError when the decision is not that of the page.
 */
export async function correctDecision(context: DecisionContext, correction: Correction): Promise<void> {
  const { applicationId, state, status, actor, shown } = correction;
  const note = correction.note.trim();
  if (note.length < shortestReason || note.length > longestReason) {
    throw new ApiError('invalid_request', `note: expected ${shortestReason} to ${longestReason} characters`);
  }
  await inTransaction(context.db, async (trx) => {
    const application = await lockOwnApplication(trx, applicationId);
    if (application === undefined) {
      throw new ApiError('unknown_application', 'applicationId: expected the id of an application');
    }
    const decidable = shown === undefined ? undefined : await findDecidable(context, trx, applicationId, state);
    if (shown !== undefined && decidable) assertAsShown(context, correctionForm, decidable, shown);
    const subject = `${applicationId}/${state}`;
    // Under the lock, so that it is the entry of the decision that is replaced.
    const entryId = await findNewestEntryId(trx, { subject, actions: decisionActions });
    const corrected = await correctState(context, trx, application, correction);
    await recordAudit(trx, context, {
      agencyId: application.agencyId,
      mode: application.mode,
      actor,
      action: 'state.corrected',
      subject,
      // The retention of the audit trail may have removed the entry.
      result: `${status}, corrects ${corrected}${entryId === undefined ? '' : ` of entry ${entryId}`}`,
      note,
    });
  });
  context.wakeOutbox();
}
