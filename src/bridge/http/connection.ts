import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { OperationId } from '../../contract/index.js';

/** The data about a request that the listener hands to the apps. */
export interface Bindings extends Partial<HttpBindings> {
  /** The id that the answer carries as `x-request-id`. */
  requestId: string;
  /** Where the request came from: see `callerAddress`. */
  address: string;
  /** The id of the contract's operation that is called. Written by the API. */
  operation?: OperationId;
  /** The pattern of the route that is called, where the app knows it. Written by the API. */
  route?: string;
  /** What the log line of this request says in addition. Written by the app. */
  logged: Record<string, unknown>;
}

/**
 * Whether the other side left, or was sent away for being slow, before its request was complete. A failure after that is none
 * of ours, and no answer can be read.
 */
export function isAborted({ incoming }: Bindings): boolean {
  return incoming !== undefined && incoming.destroyed && !incoming.complete;
}

/**
 * Where a request came from. Without trusted proxies that is the other end of the connection: anybody can write an
 * X-Forwarded-For. With some, it is the entry that the outermost of them added.
 */
export function callerAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const peer = socket.remoteAddress ?? 'unknown';
  const forwardedFor = headers['x-forwarded-for'];
  if (trustedProxies === 0 || forwardedFor === undefined) return peer;
  // Node joins repeated ones with commas, whatever its types say.
  const hops = String(forwardedFor)
    .split(',')
    .map((hop) => hop.trim());
  const claimed = hops.at(-trustedProxies) ?? hops[0];
  return claimed !== undefined && isIP(claimed) !== 0 ? claimed : peer;
}

/** The headers of every answer of the API, of whatever status. What an answer says itself takes their place. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
