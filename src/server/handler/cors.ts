import { parseConfiguredUrl } from '../addresses.js';
import type { CorsOptions } from './options.js';
import { Refusal } from './refusals.js';

const preflightSeconds = '600';

/** Which other origins may call, and what they are told. */
export interface Cors {
  /** Whether a request comes from a page of another origin that may call. */
  isForeign(request: Request): boolean;
  /** The answer to the question of such a page whether it may send a request. @throws Refusal when it may not. */
  preflight(request: Request, method: string): Response;
  /** The same answer, readable for the page that may read it. */
  release(request: Request, response: Response): Response;
}

/**
 * Makes the rules.
 * @throws TypeError when an origin is none, or a wildcard: with cookies, "everybody" is never meant.
 */
export function createCors(options: CorsOptions): Cors {
  // A text alone counts as a list of one: spread, it would be letters.
  const origins = new Set([options.origins].flat().map(parseOrigin));
  const headers = ['content-type', options.headers ?? []].flat().join(', ');
  const isForeign = (request: Request) => origins.has(request.headers.get('origin') ?? '');

  function release(request: Request, response: Response): Response {
    if (origins.size === 0) return response;
    // Caches keep one answer for all origins unless told otherwise.
    response.headers.append('vary', 'origin');
    if (!isForeign(request)) return response;
    response.headers.set('access-control-allow-origin', request.headers.get('origin') ?? '');
    response.headers.set('access-control-allow-credentials', 'true');
    response.headers.set('cross-origin-resource-policy', 'cross-origin');
    return response;
  }

  return {
    isForeign,
    preflight(request, method) {
      if (!isForeign(request)) throw new Refusal('cross_site_request');
      return new Response(null, {
        status: 204,
        headers: {
          'access-control-allow-methods': method,
          'access-control-allow-headers': headers,
          'access-control-max-age': preflightSeconds,
        },
      });
    },
    release,
  };
}

function parseOrigin(value: string): string {
  const { origin } = parseConfiguredUrl('cors.origins', value);
  // A star is a letter of host names to `URL`: it would never match, but somebody meant something by it.
  if (origin !== value || value.includes('*')) throw new TypeError(`cors.origins: "${value}" is not an exact origin.`);
  return origin;
}
