import {
  applicationSteps,
  type ApplicationStep,
  type PaymentMethod,
  type Progress,
  type ProgressStep,
} from '../../../contract/index.js';

/** The steps of an application, in order. `partner_billing` has no payment step. */
export function stepsOf(paymentMethod: PaymentMethod): ApplicationStep[] {
  return applicationSteps.filter((step) => step !== 'payment' || paymentMethod === 'user_pays');
}

/** The progress of an application whose open step is `step`, as in the API. */
export function progressAt(step: ProgressStep, paymentMethod: PaymentMethod): Progress {
  const steps = stepsOf(paymentMethod);
  if (step === 'not_started') return { step, index: 0, count: steps.length };
  if (step === 'submitted') return { step, index: steps.length, count: steps.length };
  return { step, index: steps.indexOf(step) + 1, count: steps.length };
}
