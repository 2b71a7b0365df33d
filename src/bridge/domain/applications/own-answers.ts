import type { Answers } from '../../catalogue/answers.js';
import { recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { checkLastFour } from './identity.js';
import { changeStep } from './session.js';
import { readSecret } from './step.js';

/** The result of a user's digits. `ended`: they were wrong too often today. */
export type ShownAnswers = { status: 'shown'; answers: Answers } | { status: 'wrong' | 'ended' };

/**
 * Returns the user's own answers after the last four digits of this application's SSN. The digits
 * are required each time, because others who have the link, such as the partner, do not know them.
 * Wrong ones count as on the identity step, and each try is in the audit trail. Resolves with
 * `undefined` when there is nothing to show.
 */
export function showOwnAnswers(
  context: BridgeContext,
  token: string,
  lastFour: string,
): Promise<ShownAnswers | undefined> {
  return changeStep(context, token, 'review', async (trx, session): Promise<ShownAnswers | undefined> => {
    const secret = readSecret(context, session, 'background');
    if (secret === undefined) return undefined;
    const checked = await checkLastFour(context, trx, session, lastFour);
    const { application } = session;
    await recordAudit(trx, context, {
      agencyId: application.agencyId,
      mode: application.mode,
      actor: 'user',
      action: 'answers.shown',
      subject: application.id,
      result: checked === 'passed' ? 'shown' : 'refused',
    });
    return checked === 'passed' ? { status: 'shown', answers: JSON.parse(secret) as Answers } : { status: checked };
  });
}
