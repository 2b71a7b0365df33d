import { lockOwnApplication, replaceActionLinks } from '../../store/applications/application-store.js';
import { endPaymentReturns } from '../../store/payments/payment-store.js';
import { endEarlierSessions, replaceSession } from '../../store/sessions/session-store.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { type AuditActor, recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { randomId } from '../keys/keys.js';

/** A revocation of the links of an application. */
export interface RevokedLinks {
  applicationId: string;
  actor: AuditActor;
  /** Why, for the audit trail. */
  reason: string;
}

/**
 * Ends every link of an application at once, with its receipt and its requests of states, such as
 * after one was stolen. Saved data stays: the next session of the same application continues, and an
 * open request has another link, which getApplication (operation 19) returns. Resolves with
 * `undefined` when there is no such application.
 */
export function revokeLinks(
  context: Pick<BridgeContext, 'db' | 'clock' | 'links'>,
  { applicationId, actor, reason }: RevokedLinks,
): Promise<true | undefined> {
  return inTransaction(context.db, async (trx) => {
    const application = await lockOwnApplication(trx, applicationId);
    if (application === undefined) return undefined;
    await endLinks(trx, context, application);
    const { agencyId, mode } = application;
    const what = { agencyId, mode, actor, action: 'links.revoked', subject: applicationId } as const;
    await recordAudit(trx, context, { ...what, result: 'done', note: reason });
    return true;
  });
}

/** Ends every link of an application that the caller has locked. */
export async function endLinks(
  trx: DatabaseTransaction,
  context: Pick<BridgeContext, 'clock' | 'links'>,
  application: ApplicationRow,
): Promise<void> {
  const now = context.clock();
  // A session without a recipient follows. By its id getApplication (operation 19) shows the
  // partner that the link it holds is not the newest any more.
  const sessionId = randomId('ses');
  const { returnUrl, webhookUrl, paymentMethod, step } = application;
  const linkHash = context.links.applicationLinkHash({ mode: application.mode, sessionId });
  const withoutRecipient = { sessionId, linkHash, returnUrl, webhookUrl, paymentMethod, step, expiresAt: now };
  await replaceSession(trx, application, withoutRecipient, now);
  await endEarlierSessions(trx, application.id, now);
  const { id: applicationId, mode } = application;
  // It would lead to the link that follows the revoked ones.
  await endPaymentReturns(trx, applicationId);
  await replaceActionLinks(trx, applicationId, ({ state, actionSerial, actionLinkNumber }) =>
    context.links.actionLinkHash({ mode, applicationId, state, serial: actionSerial, linkNumber: actionLinkNumber }),
  );
}
