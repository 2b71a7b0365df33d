const localNames = ['localhost', '127.0.0.1', '[::1]'];

/** What {@link parseConfiguredUrl} lets pass. */
export interface UrlRules {
  /** Whether http is allowed on every host. Default: on localhost only. */
  allowInsecure?: boolean | undefined;
}

/**
 * An address of the configuration as a URL: https, or http on localhost, without credentials, query
 * or fragment.
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
