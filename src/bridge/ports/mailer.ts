/**
 * Sends mails to users. A port for an adapter of the operator's mail service. Default: SMTP, where
 * `BRIDGE_SMTP_URL` is set; otherwise the bridge sends no mail.
 *
 * The contract, which `licensing-bridge/conformance` checks for any adapter:
 *
 * 1. `accepted` means that the service has taken the mail over and delivers it.
 * 2. `refused` means that a retry cannot succeed, such as for an unknown mailbox. The bridge drops
 *    the mail.
 * 3. Everything else rejects: an outage, a timeout, wrong credentials, a request to come back
 *    later. The bridge tries again with growing pauses.
 * 4. Each call ends within a minute, also when the service does not answer.
 * 5. A mail may be sent again when an answer was lost. `messageId` is then the same, by which mail
 *    services and clients recognize it.
 * 6. Of an error, only `code` is logged, where it is a short word: its text may quote an address.
 *    An adapter logs no address and no content itself.
 */
import type { Language } from '../../contract/index.js';

/** A file of a mail. */
export interface MailAttachment {
  name: string;
  /** Its media type, such as `application/pdf`. */
  type: string;
  content: Uint8Array;
}

/** A mail to one user. The sender is a setting of the adapter. */
export interface Mail {
  /** The address of the user, without a name. */
  to: string;
  language: Language;
  subject: string;
  /** The content as plain text. */
  text: string;
  /** The same content as HTML. It loads nothing from elsewhere. */
  html: string;
  /** The local part of the `Message-ID`: the same for each try to send this mail. */
  messageId: string;
  attachments: readonly MailAttachment[];
}

/** The result of sending. `code`: a short code for the operator, such as `SMTP550`. */
export type MailOutcome = { status: 'accepted' } | { status: 'refused'; code: string };

/** See the module's contract. */
export interface Mailer {
  /** Sends one mail. */
  send(mail: Mail): Promise<MailOutcome>;
  /**
   * Tries the connection for `licensing-bridge check`, and sends nothing. Rejects when the adapter
   * cannot be used.
   */
  check?(): Promise<void>;
}
