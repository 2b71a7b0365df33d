import type { NodemailerError, Transporter } from 'nodemailer';
import type { MailSender, SmtpServer } from '../config/smtp-url.js';
import { AdapterError, adapterErrorCode } from '../ports/adapter-error.js';
import type { Mail, Mailer, MailOutcome } from '../ports/mailer.js';

/** Options of {@link createSmtpMailer}. */
export interface SmtpMailerOptions {
  server: SmtpServer;
  from: MailSender;
  /** The certificates of the trusted authorities, as PEM. Default: those of Node. */
  ca?: string;
  /** The timeouts in milliseconds. */
  timeouts?: Partial<SmtpTimeouts>;
}

/** The timeouts of a mail, in milliseconds. */
export interface SmtpTimeouts {
  /** Of the connection, its TLS and the greeting, each. */
  connectMs: number;
  /** Of an answer of the server. Servers may scan a mail before they accept it. */
  answerMs: number;
  /** Of all together, because a server could send an answer byte by byte. */
  totalMs: number;
}

const defaultTimeouts: SmtpTimeouts = { connectMs: 10_000, answerMs: 30_000, totalMs: 55_000 };

/**
 * Sends mails by SMTP. Each mail has a separate connection: the few mails of a bridge are not worth
 * idle connections, which servers end at any time. The library is loaded with the first mail.
 */
export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
  const { from } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  let transport: Promise<Transporter> | undefined;
  return {
    async send({ to, language, subject, text, html, messageId, attachments }: Mail): Promise<MailOutcome> {
      const opened = await (transport ??= openTransport(options, timeouts));
      try {
        await opened.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${messageId}@${domainOf(from.address)}>`,
          attachments: attachments.map(({ name, type, content }) => ({
            filename: name,
            contentType: type,
            content: Buffer.from(content),
          })),
          headers: {
            'Content-Language': language,
            // So that no vacation notice answers (RFC 3834).
            'Auto-Submitted': 'auto-generated',
          },
          signal: AbortSignal.timeout(timeouts.totalMs),
        });
        return { status: 'accepted' };
      } catch (error) {
        return refusalOf(error as NodemailerError);
      }
    },
    /** Connects, with TLS where it is required, and signs in. */
    async check() {
      const opened = await (transport ??= openTransport(options, timeouts));
      await opened.verify().catch((error: unknown) => {
        const code = adapterErrorCode(error);
        throw new AdapterError('mailer', 'check', code, adviceFor(code, options.server));
      });
    },
  };
}

async function openTransport(
  { server, ca }: SmtpMailerOptions,
  { connectMs, answerMs }: SmtpTimeouts,
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const { host, port, isTlsFirst, requiresTls, credentials } = server;
  return createTransport({
    host,
    port,
    secure: isTlsFirst,
    // A server, or an attacker on the way, that does not offer STARTTLS gets neither the password
    // nor the mail.
    requireTLS: requiresTls,
    // No other machine can read on loopback, and many servers there have a certificate of no authority.
    ignoreTLS: !requiresTls,
    tls: { minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
    ...(credentials === undefined ? {} : { auth: { user: credentials.user, pass: credentials.password } }),
    connectionTimeout: connectMs,
    dnsTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
    // A mail has only what it is given: the library could also attach files and URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** What the operator should do about a server that cannot be used, by the code of the library. */
function adviceFor(code: string, { host, port }: SmtpServer): string {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (code === 'EAUTH') return `Correct the user and the password for ${place} in BRIDGE_SMTP_URL.`;
  const mend =
    code === 'ETLS'
      ? `Turn on STARTTLS of the mail server at ${place}`
      : // One code for a port that is closed, a connection that ends, and a certificate.
        `Start the mail server at ${place}, give it a certificate that Node trusts`;
  return `${mend}, or correct BRIDGE_SMTP_URL.`;
}

/**
 * The refusal of this mail: of its recipient or its content, permanently. Rejects for everything
 * else, also for a refused sign-in or sender, which the operator can mend.
 */
function refusalOf({ code, command, responseCode, permanent }: NodemailerError): MailOutcome {
  const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const reason = isOfMail && responseCode !== undefined ? `SMTP${responseCode}` : code;
  if (permanent === true && (command === 'RCPT TO' || command === 'DATA')) {
    return { status: 'refused', code: reason ?? 'unknown' };
  }
  // Without the text of the server, which quotes addresses.
  throw Object.assign(new Error('The mail was not sent.'), { code: reason });
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
