/** The headers of a request. */
interface HeadersOf {
  header(name: string): string | undefined;
}

/**
 * Whether a post came from a page of another origin than `ownOrigin`. Browsers say so, by `Origin` or `Sec-Fetch-Site`; what is no
 * browser says neither, and has nobody's session.
 */
export function isForeignPost(request: HeadersOf, ownOrigin: string): boolean {
  const origin = request.header('origin');
  const site = request.header('sec-fetch-site');
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  // Under `Referrer-Policy: no-referrer` browsers send `Origin: null` with our own forms; Sec-Fetch-Site then decides.
  const isForeignOrigin = origin !== undefined && origin !== ownOrigin && !(origin === 'null' && site !== undefined);
  return isForeignSite || isForeignOrigin;
}
