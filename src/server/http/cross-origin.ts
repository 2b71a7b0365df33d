import { assertGroup, parseConfiguredUrl } from '../configuration.js';
import { HttpError } from './http-errors.js';

/** Which pages of other origins may call the handler with a user's cookies. */
export interface CorsOptions {
  /** Exact origins, such as `https://www.agency.example`. No wildcards. */
  origins: readonly string[];
  /** Names of request headers that these pages send besides `content-type`, such as `authorization`. Default: none. */
  headers?: readonly string[];
}

/** The rules for requests from pages of other origins. */
export interface CrossOrigin {
  /** Whether a request comes from a page of another origin that may call. */
  isAllowedOrigin(request: Request): boolean;
  /**
   * Checks that no other site sent this request with the user's cookies.
   *
   * @throws {@link HttpError}
   */
  assertAllowed(request: Request): void;
  /**
   * Answers the preflight of a page that may call.
   *
   * @throws {@link HttpError} when it may not.
   */
  preflight(request: Request, method: string): Response;
  /** Adds the headers with which a page that may call can read the answer. */
  addHeaders(request: Request, response: Response): Response;
}

const preflightSeconds = '600';

/**
 * Creates the rules of a handler below `publicOrigin`.
 *
 * @throws TypeError when an origin is not exact: with cookies, a wildcard is never meant.
 */
export function createCrossOrigin(publicOrigin: string, options: CorsOptions = { origins: [] }): CrossOrigin {
  assertGroup('cors', options);
  // A text alone counts as a list of one: spread, it would be letters.
  const origins = new Set([options.origins].flat().map(parseOrigin));
  const allowedHeaders = ['content-type', options.headers ?? []].flat().join(', ');
  const isAllowedOrigin = (request: Request) => origins.has(request.headers.get('origin') ?? '');

  return {
    isAllowedOrigin,
    assertAllowed(request) {
      if (isAllowedOrigin(request)) return;
      const site = request.headers.get('sec-fetch-site');
      const origin = request.headers.get('origin');
      // Browsers set Sec-Fetch-Site themselves, and no page can. A neighboring subdomain ("same-site") may belong
      // to somebody else. Browsers without it send Origin with every post. A request with neither comes from no
      // browser and carries no user's cookies.
      const isOwn = site !== null ? ['same-origin', 'none'].includes(site) : origin === null || origin === publicOrigin;
      if (!isOwn) throw new HttpError('cross_site_request');
    },
    preflight(request, method) {
      if (!isAllowedOrigin(request)) throw new HttpError('cross_site_request');
      return new Response(null, {
        status: 204,
        headers: {
          'access-control-allow-methods': method,
          'access-control-allow-headers': allowedHeaders,
          'access-control-max-age': preflightSeconds,
        },
      });
    },
    addHeaders(request, response) {
      if (origins.size === 0) return response;
      // Caches keep one answer for all origins unless told otherwise.
      response.headers.append('vary', 'origin');
      if (!isAllowedOrigin(request)) return response;
      response.headers.set('access-control-allow-origin', request.headers.get('origin') ?? '');
      response.headers.set('access-control-allow-credentials', 'true');
      response.headers.set('cross-origin-resource-policy', 'cross-origin');
      return response;
    },
  };
}

function parseOrigin(value: string): string {
  const { origin } = parseConfiguredUrl('cors.origins', value);
  // To `URL`, a star is a letter of host names: it would never match what was meant by it.
  if (origin !== value || value.includes('*')) throw new TypeError(`cors.origins: "${value}" is not an exact origin.`);
  return origin;
}
