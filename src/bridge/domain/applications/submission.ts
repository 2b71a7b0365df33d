import type { ApplicationStep } from '../../../contract/index.js';
import { rememberApplicant } from '../../store/applications/applicant-store.js';
import { moveApplication } from '../../store/applications/application-store.js';
import type { BridgeContext } from '../context.js';
import { enqueueEvent } from '../events.js';
import { stepsOf } from '../sessions/steps.js';
import { openQuestions } from './background.js';
import { receiveSubmission } from './departments.js';
import { openDisclosures } from './disclosures.js';
import { takeSsn } from './identity.js';
import { isProfileComplete } from './profile/profile.js';
import { type ApplySession, changeStep, isReached } from './session.js';
import { sign, type Signature } from './signature.js';

/** What became of a signature: sent, or a step that must be done first. */
export type SubmissionResult = { status: 'submitted' } | { status: 'incomplete'; step: ApplicationStep };

/**
 * Signs and submits an application: the last step, the event, a row for each department and what is remembered for the
 * next application, all or nothing. Resolves with `undefined` when it is not open any more, as for a second click.
 */
export function submitApplication(
  context: BridgeContext,
  token: string,
  signature: Signature,
): Promise<SubmissionResult | undefined> {
  return changeStep(context, token, 'review', async (trx, session): Promise<SubmissionResult> => {
    const incomplete = firstIncompleteStep(session);
    if (incomplete) return { status: 'incomplete', step: incomplete };
    const { application } = session;
    const now = context.clock();
    const ssn = takeSsn(context, session);
    await sign(context, trx, session, signature);
    await moveApplication(trx, application.id, { step: 'submitted', submitted_at: now });
    await enqueueEvent(trx, application, 'application.submitted', {}, now);
    await rememberApplicant(trx, application, { ssn_sealed: ssn.sealedForApplicant, answers_submitted_at: now });
    await receiveSubmission(context, trx, { ...application, step: 'submitted', submitted_at: now }, ssn.last4);
    return { status: 'submitted' };
  });
}

/** Where the user goes on in this session: the step that was reached last, or an earlier one that lacks something. */
export function openStep(session: ApplySession): ApplicationStep {
  const { step } = session.application;
  if (step === 'not_started' || step === 'submitted') return 'profile';
  const incomplete = firstIncompleteStep(session) ?? step;
  return isReached(session, incomplete) ? incomplete : 'identity';
}

/** The first step before the review that lacks something, also when the question bank grew since it was completed. */
export function firstIncompleteStep(session: ApplySession): ApplicationStep | undefined {
  return stepsOf(session.application.payment_method).find((step) => {
    if (step === 'review') return false;
    if (!session.saved[step]?.completed_at) return true;
    if (step === 'profile') return !isProfileComplete(session);
    if (step === 'background') return openQuestions(session).length > 0;
    return step === 'disclosures' && openDisclosures(session).length > 0;
  });
}
