import { isIP } from 'node:net';
import type { Bindings } from './bindings.js';

/**
 * Where a request came from. Without trusted proxies that is the other end of the connection: anybody can write an
 * X-Forwarded-For. With some, it is the entry that the outermost of them added.
 */
export function callerAddress(bindings: Bindings, forwardedFor: string | undefined, trustedProxies: number): string {
  const peer = bindings.incoming?.socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0 || forwardedFor === undefined) return peer;
  const hops = forwardedFor.split(',').map((hop) => hop.trim());
  const claimed = hops.at(-trustedProxies) ?? hops[0];
  return claimed !== undefined && isIP(claimed) !== 0 ? claimed : peer;
}
