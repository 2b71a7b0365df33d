import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

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
