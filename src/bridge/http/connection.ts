import type { IncomingMessage } from 'node:http';
import type { Http2Bindings, HttpBindings } from '@hono/node-server';
import { type OperationId, parseForwardedAddress } from '../../contract/index.js';

/** The data about a request that the listener passes to the apps. */
export interface Bindings extends Partial<HttpBindings> {
  /** The id in the response header `x-request-id`. */
  requestId: string;
  /** The IP address of the caller: see `callerAddress`. */
  address: string;
  /** The id of the called operation. Set by the API. */
  operation?: OperationId;
  /** The pattern of the called route, where the app knows it. Set by the API. */
  route?: string;
  /** Additional fields of this request's log line. Set by the app. */
  logged: Record<string, unknown>;
}

/** A handler of requests of Node's server. */
export type FetchHandler = (request: Request, bindings: HttpBindings | Http2Bindings) => Promise<Response>;

/**
 * Whether the client disconnected, or was disconnected because it was too slow, before its request
 * was complete. A failure after that is not an internal error, and no response can be read.
 */
export function isAborted({ incoming }: Bindings): boolean {
  return incoming !== undefined && incoming.destroyed && !incoming.complete;
}

/**
 * The IP address of the caller. Without trusted proxies it is the peer of the connection, because
 * any client can send an X-Forwarded-For. With trusted proxies, it is the entry that the outermost
 * of them added. `onUnreadable` is called where that entry is no address, and the peer counts.
 */
export function callerAddress(
  { headers, socket }: IncomingMessage,
  trustedProxies: number,
  onUnreadable: () => void = () => undefined,
): string {
  const peer = socket.remoteAddress ?? 'unknown';
  const forwardedFor = headers['x-forwarded-for'];
  if (trustedProxies === 0 || forwardedFor === undefined) return peer;
  // Node joins repeated headers with commas, although its types say otherwise.
  const hops = String(forwardedFor)
    .split(',')
    .map((hop) => hop.trim());
  const claimed = parseForwardedAddress(hops.at(-trustedProxies) ?? hops[0] ?? '');
  if (claimed === undefined) onUnreadable();
  return claimed ?? peer;
}

/** The headers of every response of the API. Headers of the response take precedence. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
