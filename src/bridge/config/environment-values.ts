/**
 * An invalid value of an environment variable. The message says what is expected and never quotes
 * the value.
 */
export class WrongValue extends Error {}

/** The log levels, quietest first. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug'] as const;

/** A log level. */
export type LogLevel = (typeof logLevels)[number];

/** A text that matches a pattern. */
export function matching(text: string, pattern: RegExp, expected: string): string {
  if (!pattern.test(text)) throw new WrongValue(expected);
  return text;
}

/** An integer within a range. */
export function parseInteger(text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new WrongValue(`a whole number from ${least} to ${most}`);
  }
  return value;
}

/** A number of days; 0 means for ever. */
export function parseRetention(text: string): number {
  return parseInteger(text, 0, 36_500);
}

/** A host name or an IP address. */
export function parseHost(text: string): string {
  return matching(text, /^[A-Za-z0-9.:-]+$/, 'a host name or an IP address');
}

/** A port; 0 means any free one. */
export function parsePort(text: string): number {
  return parseInteger(text, 0, 65_535);
}

/** A factor. */
export function parseScale(text: string): number {
  const value = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || value <= 0 || value > 100) throw new WrongValue('a number above 0, at most 100');
  return value;
}

/** An origin of a URL. */
export function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href) {
    throw new WrongValue('an address such as https://bridge.example, without path, query, user or password');
  }
  return url.origin;
}

/**
 * Users type SSNs there, so it must be encrypted. Browsers would also send its forms without an
 * origin.
 */
export function parseApplyUrl(text: string): string {
  const origin = parseOrigin(text);
  const { protocol, hostname } = new URL(origin);
  if (protocol !== 'https:' && !isLoopbackHost(hostname))
    throw new WrongValue('an https address; http is for loopback hosts only');
  return origin;
}

/** Whether the host name of a URL is a loopback name. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127(\.\d+){3}$|\[::1\]$)/.test(hostname);
}

/** A key of 32 bytes. */
export function parseSecretKey(text: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
  if (key.length !== 32 || !(isBase64 || /^[0-9a-f]{64}$/i.test(text))) {
    throw new WrongValue('32 bytes as base64 or hex (create them with openssl rand -base64 32)');
  }
  return key;
}

/** `true` or `false`. */
export function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new WrongValue('true or false');
  return text === 'true';
}

/** A level of the log. */
export function parseLogLevel(text: string): LogLevel {
  const level = logLevels.find((name) => name === text);
  if (level === undefined) throw new WrongValue(`one of ${logLevels.join(', ')}`);
  return level;
}
