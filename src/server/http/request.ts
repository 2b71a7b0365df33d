import type { Clock } from '../scheduling.js';
import { parseConfiguredUrl } from '../configuration.js';
import { HttpError } from './reply.js';

/** The rules for requests from pages of other origins, which carry the user's cookies. */
export type CrossOrigin = ReturnType<typeof createCrossOrigin>;

/**
 * Creates the rules of a handler below `publicOrigin`.
 *
 * @throws TypeError when an origin is not exact: with cookies, a wildcard is never meant.
 */
export function createCrossOrigin(publicOrigin: string, allowedOrigins: readonly string[] = []) {
  const origins = new Set(allowedOrigins.map(parseOrigin));
  const isAllowed = ({ headers }: Request) => origins.has(headers.get('origin') ?? '');

  return {
    /** Whether a request comes from a page of another origin that may call. */
    isAllowed,
    /** Checks that no other site sent this request. @throws {@link HttpError} */
    assertAllowed(request: Request): void {
      if (isAllowed(request)) return;
      const site = request.headers.get('sec-fetch-site');
      const origin = request.headers.get('origin');
      // Browsers set Sec-Fetch-Site themselves, and no page can. A neighboring subdomain
      // ("same-site") may belong to another owner. Browsers without it send Origin with every post.
      // A request with neither comes from no browser and carries no user's cookies.
      const isOwn = site !== null ? ['same-origin', 'none'].includes(site) : origin === null || origin === publicOrigin;
      if (!isOwn) throw new HttpError('cross_site_request');
    },
    /** Answers the preflight of a page that may call. @throws {@link HttpError} when it may not. */
    preflight(request: Request, method: string): Response {
      if (!isAllowed(request)) throw new HttpError('cross_site_request');
      const headers = {
        'access-control-allow-methods': method,
        // Any header that it asks for: a page that may use the user's cookies may send them all.
        'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? 'content-type',
        'access-control-max-age': '600',
      };
      return new Response(null, { status: 204, headers });
    },
    /** Adds the headers with which a page that may call can read the answer. */
    addHeaders(request: Request, response: Response): Response {
      // Without `vary`, caches keep one answer for all origins.
      if (origins.size > 0) response.headers.append('vary', 'origin');
      if (!isAllowed(request)) return response;
      response.headers.set('access-control-allow-origin', request.headers.get('origin') ?? '');
      response.headers.set('access-control-allow-credentials', 'true');
      response.headers.set('cross-origin-resource-policy', 'cross-origin');
      return response;
    },
  };
}

function parseOrigin(value: string): string {
  const { origin } = parseConfiguredUrl('allowedOrigins', value);
  // To `URL`, a star is a letter of host names: it would never match what was meant by it.
  if (origin !== value || value.includes('*')) {
    throw new TypeError(`allowedOrigins: "${value}" is not an exact origin.`);
  }
  return origin;
}

const timeoutMs = 10_000;

/** A JSON body. */
export interface JsonBody {
  /** The body as it arrived. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The parsed body. */
  value: unknown;
}

/**
 * Reads a JSON body of at most `maxBytes`.
 *
 * @throws {@link HttpError} when it is of another type, too large, too slow, interrupted, empty or
 *   not JSON.
 */
export async function readJson(request: Request, maxBytes: number, clock: Clock): Promise<JsonBody> {
  // Also keeps forms of other sites out: browsers do not send this type across origins without a
  // preflight.
  const isJson = /^\s*application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(request.headers.get('content-type') ?? '');
  if (!isJson) throw new HttpError('unsupported_media_type');
  if (Number(request.headers.get('content-length')) > maxBytes) throw new HttpError('body_too_large');
  if (request.bodyUsed) throw new HttpError('body_already_read');
  const bytes = await readBytes(request, maxBytes, clock);
  if (bytes.length === 0) throw new HttpError('empty_body');
  try {
    return { bytes, value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    throw new HttpError('invalid_json');
  }
}

async function readBytes(request: Request, maxBytes: number, clock: Clock): Promise<Uint8Array<ArrayBuffer>> {
  const reader = request.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const tooSlow = new AbortController();
  const cancel = () => void reader?.cancel().catch(() => undefined);
  const stopTimer = clock.after(timeoutMs, () => {
    tooSlow.abort();
    cancel();
  });
  try {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      chunks.push(part.value);
      size += part.value.byteLength;
      // The header may be absent or wrong, so the bytes count.
      if (size > maxBytes) throw new HttpError('body_too_large');
    }
  } catch (error) {
    cancel();
    throw error instanceof HttpError ? error : new HttpError('body_interrupted');
  } finally {
    stopTimer();
  }
  if (tooSlow.signal.aborted) throw new HttpError('body_too_slow');
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
