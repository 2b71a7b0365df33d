import { isBridgeClientError } from '../client/bridge-client-error.js';

/**
 * Senders give up after ten seconds. Work that takes longer continues, and the repeated webhook
 * finds it done.
 */
export const handlingTimeoutMs = 9_000;

/** The header of an answer after which the sender repeats a webhook soon. */
export const tryAgainSoon = { 'retry-after': '5' };

/** The header that says when the sender repeats a webhook that failed: the bridge's time, if it gave one. */
export function retryAfter(error: unknown): Readonly<Record<string, string>> {
  if (!isBridgeClientError(error) || error.retryAfterMs === undefined) return tryAgainSoon;
  return { 'retry-after': String(Math.ceil(error.retryAfterMs / 1_000)) };
}
