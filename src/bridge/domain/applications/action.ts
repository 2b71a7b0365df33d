import { findAgency, shareAgency } from '../../store/accounts/agency-store.js';
import {
  findAnsweredAction,
  findApplicationById,
  findApplicationStates,
  findStateByActionLink,
  lockOwnApplication,
  saveActionAnswer,
} from '../../store/applications/application-store.js';
import type { ApplicationRow, ApplicationStateRow } from '../../store/tables/tables.js';
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
  const found = open ?? (await findAnsweredAction(context.db, hash));
  if (!found) return undefined;
  const application = await findApplicationById(context.db, found.applicationId);
  const states = await findApplicationStates(context.db, application.id);
  const state = states.find((row) => row.state === found.state);
  const agency = await findAgency(context.db, application.agencyId);
  if (state === undefined || agency === undefined) return undefined;
  const phase = agency.deactivatedAt !== null ? 'stopped' : open ? 'open' : 'answered';
  return { phase, agencyName: agency.name, application, state, states };
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
  const linkHash = hashToken(token);
  const asked = await findStateByActionLink(context.db, linkHash);
  if (!asked) return;
  await inTransaction(context.db, async (trx) => {
    const application = await lockOwnApplication(trx, asked.applicationId);
    // Read again under the lock, because the department may have decided meanwhile.
    const state = await findStateByActionLink(trx, linkHash);
    if (!application || !state) return;
    const agency = await shareAgency(trx, application.agencyId);
    if (agency?.deactivatedAt !== null) return;
    const purpose = { state: state.state, serial: state.actionSerial };
    const documents = await listDocuments({ db: trx }, application.id, purpose);
    assertAsShown(context, actionForm, { state, documents }, shown);
    const associatedData = actionAnswerAssociatedData(application.id, state.state, state.actionSerial);
    const answerEncrypted = context.keys.of(application.mode).encrypt(answer, associatedData);
    await saveActionAnswer(trx, state, { linkHash, answerEncrypted, answeredAt: context.clock() });
    await answerAction(context, trx, application, state.state);
  });
  context.wakeOutbox();
}

/** The associated data of an encrypted answer to a department: its row. */
export function actionAnswerAssociatedData(applicationId: string, state: string, serial: number): string {
  return `application_action:${applicationId}:${state}:${serial}`;
}
