import { findAgency, shareAgency } from '../../store/accounts/agency-store.js';
import {
  findAnsweredAction,
  findApplicationById,
  findApplicationState,
  findApplicationStates,
  findStateByActionLink,
  lockOwnApplication,
  saveActionAnswer,
} from '../../store/applications/application-store.js';
import { isPaidRequest, type PaymentRow } from '../../store/payments/payment-store.js';
import type { ApplicationRow, ApplicationStateRow } from '../../store/tables/tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import type { BridgeContext } from '../context.js';
import { listDocuments } from '../documents/documents.js';
import { hashToken } from '../keys/keys.js';
import { answerAction } from '../filings/departments.js';
import { actionForm } from './committing-forms.js';
import { assertAsShown } from '../shown/shown.js';

/** A department's request: open, answered before, or stopped because its agency is deactivated. */
export interface RequestedAction {
  phase: 'open' | 'answered' | 'stopped';
  /** The name of the agency, as the user may see it. */
  agencyName: string;
  application: ApplicationRow;
  /** The state that asked. */
  state: ApplicationStateRow;
  /** Whether the answer was the payment of a further fee. */
  wasPaid: boolean;
  /** All states, for the page's snapshot. */
  states: ApplicationStateRow[];
}

/**
 * Finds the request for the token of an `actionUrl`; `undefined` when there is none, or the
 * department has decided since.
 */
export async function findAction(context: BridgeContext, token: string): Promise<RequestedAction | undefined> {
  const hash = hashToken(token);
  const open = await findStateByActionLink(context.db, hash);
  const answered = open ? undefined : await findAnsweredAction(context.db, hash);
  const found = open ?? answered;
  if (!found) return undefined;
  const application = await findApplicationById(context.db, found.applicationId);
  const states = await findApplicationStates(context.db, application.id);
  const state = states.find((row) => row.state === found.state);
  const agency = await findAgency(context.db, application.agencyId);
  if (state === undefined || agency === undefined) return undefined;
  const phase = agency.deactivatedAt !== null ? 'stopped' : open ? 'open' : 'answered';
  const wasPaid = answered !== undefined && (await isPaidRequest(context.db, answered));
  return { phase, agencyName: agency.name, application, state, wasPaid, states };
}

/**
 * Sends the user's answer to the department: stores it encrypted, returns the state to review and
 * marks the link as used. A second click changes nothing.
 *
 * @param shown The token of the page.
 * @throws ChangedSinceShownError when the request or its documents are not those of the page.
 */
export async function sendActionAnswer(
  context: BridgeContext,
  token: string,
  { answer, shown }: { answer: string; shown: string },
): Promise<void> {
  await changeOpenAction(context, token, async (trx, application, state) => {
    // A request that asks for a fee is answered by its payment only.
    if (state.actionFeeCents !== null) return;
    const purpose = { state: state.state, serial: state.actionSerial };
    const documents = await listDocuments({ db: trx }, application.id, purpose);
    assertAsShown(context, actionForm, { state, documents }, shown);
    const associatedData = actionAnswerAssociatedData(application.id, state.state, state.actionSerial);
    const answerEncrypted = context.keys.of(application.mode).encrypt(answer, associatedData);
    await saveAnswer(context, trx, application, state, answerEncrypted);
  });
}

/**
 * Changes what belongs to the open request of a link, under the lock of its application. Resolves
 * with `undefined` when it is not open any more, or its agency was deactivated.
 */
export async function changeOpenAction<Result>(
  context: BridgeContext,
  token: string,
  change: (trx: DatabaseTransaction, application: ApplicationRow, state: ApplicationStateRow) => Promise<Result>,
): Promise<Result | undefined> {
  const linkHash = hashToken(token);
  const asked = await findStateByActionLink(context.db, linkHash);
  if (!asked) return undefined;
  const result = await inTransaction(context.db, async (trx) => {
    const application = await lockOwnApplication(trx, asked.applicationId);
    // Read again under the lock, because the department may have decided meanwhile.
    const state = await findStateByActionLink(trx, linkHash);
    if (!application || !state) return undefined;
    const agency = await shareAgency(trx, application.agencyId);
    return agency?.deactivatedAt === null ? change(trx, application, state) : undefined;
  });
  context.wakeOutbox();
  return result;
}

/**
 * Finds the open request that a further fee of this amount is for; `undefined` when the state has
 * decided or asked for something else since.
 */
export async function findFeeRequest(
  trx: DatabaseTransaction,
  { applicationId, state, serial, amountCents }: PaymentRow,
): Promise<ApplicationStateRow | undefined> {
  const current = state === null ? undefined : await findApplicationState(trx, applicationId, state);
  const isAsked = current?.status === 'requires_action' && current.actionSerial === serial;
  return isAsked && current.actionFeeCents === amountCents ? current : undefined;
}

/**
 * Stores the answer to an open request, which uses up its link, and returns the state to review.
 *
 * @param answerEncrypted The user's words. Null when a payment is the answer.
 */
export async function saveAnswer(
  context: BridgeContext,
  trx: DatabaseTransaction,
  application: ApplicationRow,
  state: ApplicationStateRow,
  answerEncrypted: string | null,
): Promise<void> {
  const { actionHash: linkHash } = state;
  if (linkHash === null) throw new Error('An open request has a link.');
  await saveActionAnswer(trx, state, { linkHash, answerEncrypted, answeredAt: context.clock() });
  await answerAction(context, trx, application, state.state);
}

/** The associated data of an encrypted answer to a department: its row. */
export function actionAnswerAssociatedData(applicationId: string, state: string, serial: number): string {
  return `application_action:${applicationId}:${state}:${serial}`;
}
