import { insertMail } from '../../store/mail/mail-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import type { BridgeContext } from '../context.js';
import type { MailPurpose } from '../jobs.js';

/*
 * The links in mails. A mail lies in a mailbox for years, is forwarded and is read by the operator of
 * the mailbox, so:
 *
 * - No mail has an `applicationUrl`: it opens the whole application, and there is no moment at which
 *   it is not needed any more.
 * - Only the mail about a request of a state has a link, its `actionUrl`. It opens this request, and
 *   ends when the user has answered or the state has decided.
 * - Mails go to an address that the user has confirmed, never to one that only the partner sent.
 */

/** The parts of the context that plan a mail. */
export type MailPlanning = Pick<BridgeContext, 'mailer' | 'clock' | 'schedule'>;

/**
 * Plans the mail of a purpose, in the transaction of what it tells. Without effect when the purpose
 * has a mail, and where the bridge sends no mails.
 */
export async function planMail(context: MailPlanning, trx: DatabaseTransaction, purpose: MailPurpose): Promise<void> {
  if (context.mailer === undefined) return;
  const { applicationId, kind } = purpose;
  const isNew = await insertMail(trx, {
    purpose: purposeKey(purpose),
    applicationId,
    kind,
    createdAt: context.clock(),
  });
  if (isNew) await context.schedule(trx, 'mail', purpose, 0);
}

/** The purpose as a text, which is unique. The language of a code is not a part of it. */
export function purposeKey(purpose: MailPurpose): string {
  const { kind, applicationId } = purpose;
  switch (purpose.kind) {
    case 'receipt':
      return `${kind}/${applicationId}`;
    case 'action':
      return `${kind}/${applicationId}/${purpose.state}/${purpose.serial}`;
    case 'code':
      return `${kind}/${applicationId}/${purpose.sessionId}/${purpose.serial}`;
    default:
      return `${kind}/${applicationId}/${purpose.state}/${purpose.at}`;
  }
}
