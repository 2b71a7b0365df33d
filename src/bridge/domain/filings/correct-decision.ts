import { findNewestEntryId } from '../../store/audit/audit-store.js';
import type { IssuedLicense } from '../../store/tables/filing-tables.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { lockApplication } from '../applications/lock-application.js';
import { longestReason, shortestReason } from '../applications/reveal.js';
import { type AuditAction, type AuditActor, recordAudit } from '../audit/audit.js';
import { ApiError } from '../errors/api-error.js';
import { propose, takeProposal } from '../second-person/proposals.js';
import { assertOnePersonSuffices, type SecondPersonContext } from '../second-person/tasks.js';
import { assertAsShown } from '../shown/shown.js';
import { correctionConfirmationForm, correctionForm } from './committing-forms.js';
import { type DecisionContext, findDecidable } from './departments.js';
import { givenLicense } from './issued-license.js';
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
 *   {@link correctState}. `invalid_transition` also when a second person is required.
 * @throws ChangedSinceShownError when the decision is not that of the page.
 */
export async function correctDecision(
  context: DecisionContext & SecondPersonContext,
  correction: Correction,
): Promise<void> {
  assertOnePersonSuffices(context, 'corrections');
  await inTransaction(context.db, async (trx) => {
    const application = await lockApplication(trx, correction.applicationId);
    await assertShown(context, trx, correction);
    await applyCorrection(context, trx, application, correction);
  });
  context.wakeOutbox();
}

/**
 * Proposes a correction to a second operator. The page has checked it, and it is checked again when it
 * is confirmed.
 *
 * @throws ApiError and ChangedSinceShownError as {@link propose}.
 */
export function proposeCorrection(context: DecisionContext, correction: Correction): Promise<void> {
  const { applicationId, state, status, note, reason = '', override = '', actor } = correction;
  const license = givenLicense(correction as IssuedLicense);
  const content = { status, note: note.trim(), reason, override, license };
  return propose(context, { applicationId, kind: 'correction', state, content }, actor, (trx) =>
    assertShown(context, trx, correction),
  );
}

/**
 * Makes the correction that another operator has proposed.
 *
 * @throws ApiError as {@link correctDecision}, and `invalid_transition` for the operator's own
 *   proposal.
 * @throws ChangedSinceShownError when the decision or the proposal are not those of the page.
 */
export async function confirmCorrection(
  context: DecisionContext,
  confirmation: Required<Pick<Correction, 'applicationId' | 'state' | 'actor'>> & { shown: string },
): Promise<void> {
  const { applicationId, state, actor, shown } = confirmation;
  await inTransaction(context.db, async (trx) => {
    const application = await lockApplication(trx, confirmation.applicationId);
    const proposal = await takeProposal(trx, { applicationId, kind: 'correction', state }, actor);
    const decidable = await findDecidable(context, trx, applicationId, state);
    if (decidable) assertAsShown(context, correctionConfirmationForm, { ...decidable, proposal }, shown);
    const { license, ...content } = proposal.content;
    await applyCorrection(context, trx, application, { applicationId, state, actor, ...content, ...license });
  });
  context.wakeOutbox();
}

async function assertShown(
  context: DecisionContext,
  trx: DatabaseTransaction,
  { applicationId, state, shown }: Correction,
): Promise<void> {
  const decidable = shown === undefined ? undefined : await findDecidable(context, trx, applicationId, state);
  if (shown !== undefined && decidable) assertAsShown(context, correctionForm, decidable, shown);
}

async function applyCorrection(
  context: DecisionContext,
  trx: DatabaseTransaction,
  application: ApplicationRow,
  correction: Correction,
): Promise<void> {
  const { state, status, actor } = correction;
  const note = correction.note.trim();
  if (note.length < shortestReason || note.length > longestReason) {
    throw new ApiError('invalid_request', `note: expected ${shortestReason} to ${longestReason} characters`);
  }
  const subject = `${application.id}/${state}`;
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
}
