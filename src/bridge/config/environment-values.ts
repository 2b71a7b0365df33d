import { resolve } from 'node:path';
import { z } from 'zod';

/**
 * An invalid value of an environment variable. The message says what is expected and never quotes
 * the value, like the messages of the schemas below.
 */
export class WrongValue extends Error {}

/** The log levels, quietest first. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug'] as const;

/** A log level. */
export type LogLevel = (typeof logLevels)[number];

/** A level of the log. */
export const logLevel = z.enum(logLevels, `one of ${logLevels.join(', ')}`);

/** `true` or `false`. */
export const trueOrFalse = z.enum(['true', 'false'], 'true or false').transform((text) => text === 'true');

/** An integer within a range. */
export function wholeNumber(least: number, most: number) {
  const isInRange = (text: string) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
  return z.string().refine(isInRange, `a whole number from ${least} to ${most}`).transform(Number);
}

/** A number of days; 0 means for ever. */
export const retentionDays = wholeNumber(0, 36_500);

/** A port; 0 means any free one. */
export const port = wholeNumber(0, 65_535);

/** A factor. */
export const scale = z
  .string()
  .refine(
    (text) => /^\d*\.?\d+$/.test(text) && Number(text) > 0 && Number(text) <= 100,
    'a number above 0, at most 100',
  )
  .transform(Number);

/** A host name or an IP address. */
export const host = z.string().regex(/^[A-Za-z0-9.:-]+$/, 'a host name or an IP address');

/** The path of a file or folder, from the current folder. */
export const path = z.string().transform((text) => resolve(text));

/** An origin of a URL. */
export const origin = z
  .string()
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  }, 'an address such as https://bridge.example, without path, query, user or password')
  .transform((text) => new URL(text).origin);

/**
 * Users type SSNs there, so it must be encrypted. Browsers would also send its forms without an
 * origin.
 */
export const pagesOrigin = origin.refine(isEncrypted, 'an https address; http is for loopback hosts only');

/** Whether a URL is https, or http on a loopback host. */
export function isEncrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

/** Whether a host name of a URL is the machine itself. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127(\.\d+){3}$|\[::1\]$)/.test(hostname);
}

/** A key of 32 bytes. */
export const secretKey = z
  .string()
  .regex(/^([0-9a-f]{64}|[a-z0-9+/_-]{43}=?)$/i, '32 bytes as base64 or hex (create them with openssl rand -base64 32)')
  .transform((text) => Buffer.from(text, text.length === 64 ? 'hex' : 'base64'));

/** Items separated by commas. */
export function listOf<Item>(item: z.ZodType<Item, string>) {
  return z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item));
}
