import type { Mode } from '../../../contract/index.js';
import type { DocumentPurpose } from '../../store/documents/document-store.js';
import { findStateByActionLink, lockOwnApplication } from '../../store/applications/application-store.js';
import { shareAgency } from '../../store/accounts/agency-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { type ApplySession, changeStep } from '../applications/session.js';
import type { BridgeContext } from '../context.js';
import { hashToken } from '../keys/keys.js';

/** The application or request of an uploaded document, by the token of the user's link. */
export interface DocumentTarget {
  /** `application`: before its submission. `action`: for a later request of a state. */
  of: 'application' | 'action';
  token: string;
}

/** The key of a target's documents. */
export interface OpenTarget {
  applicationId: string;
  mode: Mode;
  purpose: DocumentPurpose;
  /** With `application`. */
  session?: ApplySession;
}

/** The documents of the application itself. */
export const ofApplication: DocumentPurpose = { state: null, serial: null };

/**
 * Changes the documents of a target in one transaction that locks the application. Resolves with
 * `undefined` when it is not open.
 */
export function changeTarget<Result>(
  context: BridgeContext,
  { of, token }: DocumentTarget,
  change: (trx: DatabaseTransaction, target: OpenTarget) => Promise<Result>,
): Promise<Result | undefined> {
  if (of === 'application') {
    return changeStep(context, token, 'background', (trx, session) =>
      change(trx, {
        applicationId: session.application.id,
        mode: session.application.mode,
        purpose: ofApplication,
        session,
      }),
    );
  }
  return inTransaction(context.db, async (trx) => {
    const linkHash = hashToken(token);
    const asked = await findStateByActionLink(trx, linkHash);
    const application = asked && (await lockOwnApplication(trx, asked.applicationId));
    // Read again under the lock, because the department may have decided meanwhile.
    const state = application && (await findStateByActionLink(trx, linkHash));
    if (!application || !state) return undefined;
    const agency = await shareAgency(trx, application.agencyId);
    if (agency?.deactivatedAt !== null) return undefined;
    const purpose = { state: state.state, serial: state.actionSerial };
    return change(trx, { applicationId: application.id, mode: application.mode, purpose });
  });
}
