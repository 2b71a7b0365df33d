import {
  applicationSteps,
  type ApplicationStep,
  type PaymentMethod,
  type Progress,
  type ProgressStep,
} from '../../../contract/index.js';

/** The steps of an application in their order: `partner_billing` has no payment step. */
export function stepsOf(paymentMethod: PaymentMethod): ApplicationStep[] {
  return applicationSteps.filter((step) => step !== 'payment' || paymentMethod === 'user_pays');
}

/** Where an application stands that is open at `step`, as the wire says it. */
export function progressAt(step: ProgressStep, paymentMethod: PaymentMethod): Progress {
  const steps = stepsOf(paymentMethod);
  if (step === 'not_started') return { step, index: 0, count: steps.length };
  if (step === 'submitted') return { step, index: steps.length, count: steps.length };
  return { step, index: steps.indexOf(step) + 1, count: steps.length };
}
