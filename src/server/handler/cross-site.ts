import type { Cors } from './cors.js';
import { Refusal } from './refusals.js';

/**
 * Refuses what another site sent with the user's cookies. `Sec-Fetch-Site` is the browser's own word and cannot be set by a
 * page; browsers that do not send it send `Origin` with every post. What sends neither is no browser, and has no cookies of
 * a user.
 * @throws Refusal
 */
export function refuseCrossSite(request: Request, publicOrigin: string, cors: Cors): void {
  if (cors.isForeign(request)) return;
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) {
    // A neighbouring subdomain ("same-site") may be somebody else's.
    if (site !== 'same-origin' && site !== 'none') throw new Refusal('cross_site_request');
    return;
  }
  const origin = request.headers.get('origin');
  if (origin !== null && origin !== publicOrigin) throw new Refusal('cross_site_request');
}
