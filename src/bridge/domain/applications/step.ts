import type { ApplicationStep } from '../../../contract/index.js';
import { moveApplication } from '../../store/applications/application-store.js';
import { deleteSteps, saveStep } from '../../store/applications/step-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import { enqueueEvent } from '../webhooks/events.js';
import { progressAt, stepsOf } from './steps.js';
import { searchHashesOf } from './search.js';
import { associatedData, type ApplySession } from './session.js';

/** The data of a step. */
export interface StepContent {
  /** Readable data, which may be shown again. */
  data: Record<string, unknown>;
  /** SSN or answers, which are encrypted; absent keeps the stored ones. */
  secret?: string;
}

/** Saves an incomplete step. */
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
 * Saves a complete step. The first time, it opens the next step and sends `progress_updated`; later
 * changes only save, so that progress never decreases.
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
  const progress = progressAt(step, application.paymentMethod);
  await enqueueEvent(trx, application, 'application.progress_updated', progress, now);
}

/** The step that follows; `undefined` after the last. */
export function stepAfter({ application }: ApplySession, step: ApplicationStep): ApplicationStep | undefined {
  const order = stepsOf(application.paymentMethod);
  return order[order.indexOf(step) + 1];
}

/** Decrypts the data of a step. Only for the domain: no page may show it. */
export function readSecret(
  context: Pick<BridgeContext, 'keys'>,
  session: ApplySession,
  step: ApplicationStep,
): string | undefined {
  const encrypted = session.saved[step]?.encrypted;
  const { id, mode } = session.application;
  return encrypted ? context.keys.of(mode).decrypt(encrypted, associatedData(id, step)) : undefined;
}

async function save(
  context: BridgeContext,
  trx: DatabaseTransaction,
  { application, saved }: ApplySession,
  step: ApplicationStep,
  { data, secret }: StepContent,
  completedAt: Date | null,
): Promise<void> {
  const order = stepsOf(application.paymentMethod);
  // A signature covers the steps before it: a user who changes them before the fees are paid signs
  // again.
  if (saved.review && order.indexOf(step) < order.indexOf('review')) await deleteSteps(trx, application.id, ['review']);
  const keys = context.keys.of(application.mode);
  const encrypted = secret === undefined ? null : keys.encrypt(secret, associatedData(application.id, step));
  const searchHashes = secret !== undefined && step === 'profile' ? searchHashesOf(keys, secret) : null;
  const savedAt = context.clock();
  await saveStep(trx, { applicationId: application.id, step, data, encrypted, searchHashes, savedAt, completedAt });
}
