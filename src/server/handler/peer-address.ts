import type { Arrival } from './arrival.js';

/**
 * The address at the other end of the connection, as the runtime hands it over beside the request: `toNodeListener` by our own
 * name, `Deno.serve` as `remoteAddr`, `Bun.serve` by its `requestIP`.
 */
export function peerAddressOf(request: Arrival, context: unknown): string | undefined {
  const { peerAddress, remoteAddr, requestIP } = (context ?? {}) as Record<string, unknown>;
  const address =
    peerAddress ??
    (remoteAddr as { hostname?: unknown } | undefined)?.hostname ??
    (typeof requestIP === 'function'
      ? (requestIP.call(context, request) as { address?: unknown } | null)?.address
      : undefined);
  return typeof address === 'string' ? address : undefined;
}
