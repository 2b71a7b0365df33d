import type { ApplicationStep } from '../../../contract/index.js';
import { rememberApplicant } from '../../store/applications/applicant-store.js';
import { moveApplication } from '../../store/applications/application-store.js';
import { findOpenPayment, findPaymentById } from '../../store/payments/payment-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import { planMail } from '../mail/mails.js';
import { enqueueEvent } from '../webhooks/events.js';
import { capturePayment } from '../payments/operations.js';
import { coversFees, movePayment } from '../payments/payment-state.js';
import { feesOfSession } from '../payments/session-fees.js';
import { readReviewed, reviewForm } from './committing-forms.js';
import { assertAsShown } from '../shown/shown.js';
import { stepsOf } from './steps.js';
import { openQuestions } from './background.js';
import { receiveSubmission } from '../filings/departments.js';
import { openDisclosures } from './disclosures.js';
import { takeSsn } from './identity.js';
import { confirmedAddress, encryptApplicantAddress } from './proof-code.js';
import { isProfileComplete } from './profile/profile.js';
import { receiptNumberOf } from './receipt-number.js';
import { countMissingDocuments } from './required-documents.js';
import { type ApplySession, changeStep, isReached } from './session.js';
import { sign, type Signature } from './signature.js';
import { completeStep } from './step.js';

/**
 * The result of a signature: stored until the fees are paid, submitted at once without fees, or a
 * step that must be completed first.
 */
export type SigningResult = { status: 'signed' | 'submitted' } | { status: 'incomplete'; step: ApplicationStep };

/**
 * Signs an application. When the partner pays, or the fees are paid already, it is submitted in the
 * same transaction. Resolves with `undefined` when it is not open any more, such as after a second
 * click.
 *
 * @throws ChangedSinceShownError when it is not what `shown`, the token of the review, stands for.
 */
export function signApplication(
  context: BridgeContext,
  token: string,
  { shown, ...signature }: Signature & { shown: string },
): Promise<SigningResult | undefined> {
  return changeStep(context, token, 'review', async (trx, session): Promise<SigningResult> => {
    const incomplete = firstIncompleteStep(session, 'review');
    if (incomplete) return { status: 'incomplete', step: incomplete };
    assertAsShown(context, reviewForm, await readReviewed(trx, session, signature.language), shown);
    const { application } = session;
    await sign(context, trx, session, signature);
    if (application.paymentMethod === 'partner_billing') {
      await submit(context, trx, session);
      return { status: 'submitted' };
    }
    // Paid before an answer was changed.
    const payment = await findOpenPayment(trx, application.id);
    if (!payment) return { status: 'signed' };
    if (!coversFees(payment, feesOfSession(session).totalCents)) {
      await movePayment(context, trx, payment.id, 'voidRequested');
      return { status: 'signed' };
    }
    await submitPaid(context, trx, session, payment.id);
    return { status: 'submitted' };
  });
}

/**
 * Submits an application whose fees are authorized, in the transaction that records the
 * authorization. Resolves to whether it was submitted; `false` when the user changed an answer
 * meanwhile and has to sign again, or pay another amount.
 */
export async function submitIfComplete(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  paymentId: string,
): Promise<boolean> {
  // Also after the link has expired, because the user may still have been on the processor's page.
  const isOpen = session.phase === 'open' || session.phase === 'expired';
  if (!isOpen || session.application.erasedAt !== null) return session.phase === 'submitted';
  if (firstIncompleteStep(session, 'payment')) return false;
  const payment = await findPaymentById(trx, paymentId);
  if (!payment) return false;
  if (!coversFees(payment, feesOfSession(session).totalCents)) {
    // The user pays the current amount; the earlier authorization is released first.
    await movePayment(context, trx, payment.id, 'voidRequested');
    return false;
  }
  await submitPaid(context, trx, session, paymentId);
  return true;
}

async function submitPaid(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  paymentId: string,
): Promise<void> {
  await completeStep(context, trx, session, 'payment', { data: { paymentId } });
  await submit(context, trx, session);
  // The simulated departments receive it with the submission. In live mode the payment is captured
  // when the application is filed.
  if (session.application.mode === 'test') await capturePayment(context, trx, session.application.id);
}

/**
 * Writes the last step, the event, a row for each department and the data for the next application,
 * in one transaction.
 */
async function submit(context: BridgeContext, trx: DatabaseTransaction, session: ApplySession): Promise<void> {
  const { application } = session;
  const now = context.clock();
  const ssn = takeSsn(context, session);
  await moveApplication(trx, application.id, {
    step: 'submitted',
    submittedAt: now,
    receiptNumber: receiptNumberOf(application.id),
    feeLines: JSON.stringify(feesOfSession(session).lines),
  });
  await enqueueEvent(trx, application, 'application.submitted', {}, now);
  await rememberApplicant(trx, application, {
    ssnEncrypted: ssn.encryptedForApplicant,
    // The user has signed it, in a session that typed the SSN or proved that it may use it.
    proofEmailEncrypted: encryptApplicantAddress(context, application, confirmedAddress(session)),
    answersSubmittedAt: now,
  });
  await planMail(context, trx, { kind: 'receipt', applicationId: application.id });
  await receiveSubmission(context, trx, { ...application, step: 'submitted', submittedAt: now }, ssn.last4);
}

/**
 * The step at which the user continues in this session: the last one reached, or an earlier
 * incomplete one.
 */
export function openStep(session: ApplySession): ApplicationStep {
  const { step } = session.application;
  if (step === 'not_started' || step === 'submitted') return 'profile';
  const incomplete = firstIncompleteStep(session, step) ?? step;
  return isReached(session, incomplete) ? incomplete : 'identity';
}

/**
 * The first incomplete step before another one. A step becomes incomplete when a release adds
 * questions.
 */
export function firstIncompleteStep(session: ApplySession, before: ApplicationStep): ApplicationStep | undefined {
  const order = stepsOf(session.application.paymentMethod);
  return order.slice(0, order.indexOf(before)).find((step) => {
    if (!session.saved[step]?.completedAt) return true;
    if (step === 'profile') return !isProfileComplete(session);
    if (step === 'background') return openQuestions(session).length > 0 || countMissingDocuments(session) > 0;
    return step === 'disclosures' && openDisclosures(session).length > 0;
  });
}
