/**
 * Returns the origin of a URL, or "" if it has none. The only part of a URL that is ever reported.
 */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** The result of {@link validateApplicationUrl}: the parsed URL, or the problem. */
export type UrlValidation = { url: URL; problem?: undefined } | { url?: undefined; problem: string };

/**
 * Validates a URL before the element opens it: https, or http on this machine, and no user name.
 *
 * @param framingOrigin The origin of the page where the URL opens in a frame, else "". A frame of
 *   that origin is refused: its sandbox allows scripts and same origin, so it could remove the
 *   sandbox.
 */
export function validateApplicationUrl(text: string, framingOrigin: string): UrlValidation {
  if (!URL.canParse(text)) return { problem: 'it is not an absolute URL' };
  const url = new URL(text);
  const isLocal = /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    return { problem: 'it does not start with https:// (http:// is allowed on localhost only)' };
  }
  if (url.username || url.password) return { problem: 'it contains a user name or a password' };
  if (url.origin === framingOrigin) return { problem: 'it has the origin of this page, which a frame must not have' };
  return { url };
}
