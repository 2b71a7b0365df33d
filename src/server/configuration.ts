import { z } from 'zod';

/** A value that is checked elsewhere. */
export const anything = z.unknown().optional();

/** A function that the caller passes in. */
export const functionSchema = z.custom<(...input: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
);

/** An object of the caller with at least these methods. */
export function methodsSchema(...names: string[]) {
  return z.object(Object.fromEntries(names.map((name) => [name, functionSchema])), 'must be an object');
}

/**
 * Checks the values that the partner's code passes or returns, because it may be plain JavaScript.
 *
 * @param what The function that takes or returns it.
 * @throws TypeError that names the function and each field that is wrong or unknown, never a value.
 */
export function parseGiven<Schema extends z.ZodType>(what: string, schema: Schema, given: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  const problems = error.issues.map((issue) => {
    const path = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys') return `${path && `${path}: `}${issue.message}`;
    const unknown = issue.keys.map((key) => `\`${path && `${path}.`}${key}\` is unknown`).join('; ');
    const known = schema instanceof z.ZodObject && path === '' ? Object.keys(schema.shape) : [];
    return known.length === 0 ? unknown : `${unknown}. It takes ${known.join(', ')}`;
  });
  throw new TypeError(`${what}: ${problems.join('; ')}.`);
}

const localNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * An address of the configuration as a URL: https, or http on localhost, without credentials, query
 * or fragment.
 *
 * @throws TypeError that names the option.
 */
export function parseConfiguredUrl(option: string, value: unknown, allowInsecure = false): URL {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (!url) throw new TypeError(`${option} must be an absolute URL such as "https://example.com".`);
  const isLocal = localNames.includes(url.hostname) || url.hostname.endsWith('.localhost');
  // Bearer tokens and secret URLs are sent here: unencrypted only where no other machine can
  // listen.
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
