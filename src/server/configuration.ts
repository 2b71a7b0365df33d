// Checks options at runtime, for callers that write plain JavaScript: a mistake is reported at
// once, not with the first user.

/** @throws TypeError that names the first of these functions that is none. */
export function assertFunctions(option: string, value: unknown, names: readonly string[]): void {
  const wrong = names.find((name) => typeof (value as Record<string, unknown> | null)?.[name] !== 'function');
  if (wrong !== undefined) throw new TypeError(`${option}${wrong} must be a function.`);
}

/**
 * @throws TypeError when it is no group of options: of a number, or of a list, nothing but the
 * defaults would be read.
 */
export function assertGroup(option: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new TypeError(`${option} must be an object.`);
}

/**
 * Refuses options that do not exist. `owner` is what takes them, such as `createBridgeClient`.
 * @throws TypeError that names the first unknown option, and the one that was probably meant.
 */
export function assertKnownNames(owner: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = known.find((name) => isNearly(name.toLowerCase(), unknown.toLowerCase()));
  const hint = meant === undefined ? `Its options are ${known.join(', ')}.` : `Did you mean \`${meant}\`?`;
  throw new TypeError(`${owner} has no option \`${unknown}\`. ${hint}`);
}

/**
 * Whether two names differ in one place at most, by up to two characters: `retry` for `retries`,
 * `timeout` for `timeoutMs`.
 */
function isNearly(left: string, right: string): boolean {
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < Math.min(left.length, right.length) - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return Math.max(left.length, right.length) - start - end <= 2;
}

const localNames = ['localhost', '127.0.0.1', '[::1]'];

/** What {@link parseConfiguredUrl} lets pass. */
export interface UrlRules {
  /** Whether http is allowed on every host. Default: on localhost only. */
  allowInsecure?: boolean | undefined;
}

/**
 * An address of the configuration as a URL: https, or http on localhost, without credentials, query or fragment.
 * @throws TypeError that names the option.
 */
export function parseConfiguredUrl(option: string, value: unknown, { allowInsecure = false }: UrlRules = {}): URL {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (!url) throw new TypeError(`${option} must be an absolute URL such as "https://agency.example".`);
  const isLocal = localNames.includes(url.hostname) || url.hostname.endsWith('.localhost');
  // Bearer tokens and secret URLs travel here: unencrypted only where no other machine can listen.
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (isLocal || allowInsecure))) {
    throw new TypeError(
      `${option} must be an https URL. http is allowed on localhost, and with allowInsecure in a private network.`,
    );
  }
  // The value itself is not repeated in the message: it holds a password.
  if (url.username + url.password + url.search + url.hash !== '') {
    throw new TypeError(`${option} must not have credentials, a query or a fragment.`);
  }
  return url;
}

/** A URL as text without slashes at its end, so that a path can be appended. */
export function withoutTrailingSlash(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
