import type { ApplicationStep } from '../../../contract/index.js';
import { moveApplication } from '../../store/applications/application-store.js';
import { deleteSteps, saveStep } from '../../store/applications/step-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import { enqueueEvent } from '../events.js';
import { progressAt, stepsOf } from '../sessions/steps.js';
import { associatedData, type ApplySession } from './session.js';

/** What a step saves. */
export interface StepContent {
  /** What may be shown again. */
  data: Record<string, unknown>;
  /** SSN or answers; absent keeps what was sealed before. */
  secret?: string;
}

/** Saves a step half done. */
export async function saveDraft(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  step: ApplicationStep,
  content: StepContent,
): Promise<void> {
  await save(context, trx, session, step, content, null);
}

/**
 * Saves a step as done. The first time, the next step opens and `progress_updated` is sent; a later change of an earlier
 * step only saves, so that progress never goes backwards.
 */
export async function completeStep(
  context: BridgeContext,
  trx: DatabaseTransaction,
  session: ApplySession,
  step: ApplicationStep,
  content: StepContent,
): Promise<void> {
  const { application } = session;
  const now = context.clock();
  await save(context, trx, session, step, content, now);
  if (application.step !== step) return;
  const next = stepAfter(session, step);
  if (!next) return;
  await moveApplication(trx, application.id, { step: next });
  const progress = progressAt(step, application.payment_method);
  await enqueueEvent(trx, application, 'application.progress_updated', progress, now);
}

/** The step that follows; `undefined` after the last. */
export function stepAfter({ application }: ApplySession, step: ApplicationStep): ApplicationStep | undefined {
  const order = stepsOf(application.payment_method);
  return order[order.indexOf(step) + 1];
}

/** Reads what a step sealed. Only for the domain: no page may show it. */
export function readSecret(
  context: Pick<BridgeContext, 'keys'>,
  session: ApplySession,
  step: ApplicationStep,
): string | undefined {
  const sealed = session.saved[step]?.sealed;
  return sealed ? context.keys.decrypt(sealed, associatedData(session.application.id, step)) : undefined;
}

async function save(
  context: BridgeContext,
  trx: DatabaseTransaction,
  { application, saved }: ApplySession,
  step: ApplicationStep,
  { data, secret }: StepContent,
  completedAt: Date | null,
): Promise<void> {
  const order = stepsOf(application.payment_method);
  // A signature is for what stood above it: a user who changes that before the fees are paid signs again.
  if (saved.review && order.indexOf(step) < order.indexOf('review')) await deleteSteps(trx, application.id, ['review']);
  const sealed = secret === undefined ? null : context.keys.encrypt(secret, associatedData(application.id, step));
  await saveStep(trx, { applicationId: application.id, step, data, sealed, savedAt: context.clock(), completedAt });
}
