import { z } from 'zod';
import { isLoopbackHost } from './environment-values.js';

/** A mail server, as in a URL such as `smtp://user:password@mail.example:587`. */
export interface SmtpServer {
  host: string;
  port: number;
  /** Whether the connection begins with TLS (`smtps:`), instead of STARTTLS. */
  isTlsFirst: boolean;
  /**
   * Whether a mail is only sent on an encrypted connection. Not on loopback, where nothing leaves
   * the machine and certificates are rarely valid.
   */
  requiresTls: boolean;
  /** `undefined` where the server needs no sign-in. */
  credentials: { user: string; password: string } | undefined;
}

/** The URL of a mail server. */
export const smtpUrl = z.string().transform((text, context): SmtpServer => {
  const server = parseSmtpUrl(text);
  if (server !== undefined) return server;
  context.addIssue('a URL such as smtp://user:password@mail.example:587, or smtps:// for port 465');
  return z.NEVER;
});

/** The standard ports of submission: with STARTTLS, and with TLS from the start (RFC 8314). */
const standardPorts = { 'smtp:': 587, 'smtps:': 465 };

function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') return undefined;
  // A parameter would have no effect, such as one that turns TLS off in other programs.
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return undefined;
  const [user, password] = [decode(url.username), decode(url.password)];
  if (user === undefined || password === undefined || (user === '') !== (password === '')) return undefined;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? standardPorts[url.protocol] : Number(url.port),
    isTlsFirst: url.protocol === 'smtps:',
    requiresTls: !isLoopbackHost(url.hostname),
    credentials: user === '' ? undefined : { user, password },
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The sender of mails. */
export interface MailSender {
  /** "" without a name. */
  name: string;
  address: string;
}

/** An address, with or without a name: `Example Licensing <licensing@example.com>`. */
export const mailSender = z
  .string()
  .regex(
    /^(?:[^<>"\p{Cc}]{1,80} <[^\s@<>]{1,64}@[^\s@<>]+\.[^\s@.<>]{2,}>|[^\s@<>]{1,64}@[^\s@<>]+\.[^\s@.<>]{2,})$/u,
    'an address such as licensing@example.com, or Example Licensing <licensing@example.com>',
  )
  .transform((text): MailSender => {
    const [, name = '', address = text] = /^(.*) <(.*)>$/.exec(text) ?? [];
    return { name, address };
  });
