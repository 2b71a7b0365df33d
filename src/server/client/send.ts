import type { Repeat } from '../../contract/index.js';
import type { PreparedRequest } from './request.js';

/** The result of an attempt. */
export type Outcome = Answer | NoAnswer;

/** An answer of the bridge, read to its end. */
export interface Answer {
  kind: 'answer';
  status: number;
  headers: Headers;
  /** `undefined` when it was too long to be read. */
  text: string | undefined;
}

/** No answer came. */
export interface NoAnswer {
  /**
   * `unsent`: nothing was sent, because no connection was made. `lost`: the bridge may have
   * received and done it.
   */
  kind: 'unsent' | 'lost';
  /** A code of the platform such as `ECONNRESET`, never a message: those may quote the request. */
  networkCode: string | undefined;
}

/**
 * Characters: many times the longest answer of any operation. A host that sends more may never end.
 */
const maxAnswerLength = 32 * 1024 * 1024;
/**
 * Codes of Node and its `fetch` for a connection that was never made. Anything else may have been
 * sent.
 */
const unsentCodes = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;
const firstDelayMs = 250;
const longestDelayMs = 5_000;
const longestRetryAfterMs = 24 * 60 * 60_000;

/** Sends a request once. Never rejects. */
export async function send(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  request: PreparedRequest,
  token: string | undefined,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: {
        accept: 'application/json',
        ...request.headers,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      // A redirect comes back as an answer: the next host would get the token. workerd does not
      // support "error".
      redirect: 'manual',
      signal,
      body: request.body ?? null,
    });
    return { kind: 'answer', status: response.status, headers: response.headers, text: await boundedText(response) };
  } catch (thrown) {
    const networkCode = platformCode(thrown);
    return { kind: unsentCodes.test(networkCode ?? '') ? 'unsent' : 'lost', networkCode };
  }
}

async function boundedText({ body }: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  // Chunk by chunk, since the length of a compressed answer is not known before.
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > maxAnswerLength) return undefined;
  }
  return text + decoder.decode();
}

/** The first `code` along the chain of causes, where Node's `fetch` puts it. */
function platformCode(thrown: unknown, depth = 0): string | undefined {
  const { code, cause } = Object(thrown) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return code;
  return depth > 4 ? undefined : platformCode(cause, depth + 1);
}

/**
 * Whether a request can be repeated after this failure without a second effect, by the table at the
 * contract's `Repeat`.
 */
export function mayRepeat(repeat: Repeat, failed: Outcome): boolean {
  if (failed.kind !== 'answer') return failed.kind === 'unsent' || repeat === 'always';
  if (failed.status === 429) return repeat !== 'unless_sent';
  return repeat === 'always' && [500, 502, 503, 504].includes(failed.status);
}

/**
 * The pause before the next attempt, in milliseconds. Full jitter, so that callers that failed
 * together do not return together. `Retry-After` is the minimum, and the call's deadline the
 * maximum.
 */
export function retryDelayMs(attempt: number, retryAfterMs: number | undefined, random: () => number): number {
  const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** attempt);
  return Math.round((retryAfterMs ?? 0) + random() * ceiling);
}

/** Reads `Retry-After`, seconds or a date, as milliseconds from now: a day at most. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (!value) return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), longestRetryAfterMs);
}
