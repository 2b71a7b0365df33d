/** The headers of a request. */
interface HeadersOf {
  header(name: string): string | undefined;
}

/**
 * Whether a post came from another origin than `ownOrigin`, by the headers `Origin` or
 * `Sec-Fetch-Site`. Other clients send neither, but have no user's session: `hono/csrf` would refuse
 * them.
 */
export function isCrossOriginPost(request: HeadersOf, ownOrigin: string): boolean {
  const origin = request.header('origin');
  const site = request.header('sec-fetch-site');
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  // With `Referrer-Policy: no-referrer` browsers send `Origin: null` for same-origin forms; then
  // Sec-Fetch-Site decides.
  const isForeignOrigin = origin !== undefined && origin !== ownOrigin && !(origin === 'null' && site !== undefined);
  return isForeignSite || isForeignOrigin;
}
