/** What runtimes hand over beside a request. */
interface Handed {
  peerAddress?: unknown;
  remoteAddr?: { hostname?: unknown };
  requestIP?: { call?: (context: unknown, request: Request) => { address?: unknown } | null };
}

/**
 * The address at the other end of the connection, as the runtime hands it over beside the request: `toNodeListener` by our own
 * name, `Deno.serve` as `remoteAddr`, `Bun.serve` by its `requestIP`.
 */
export function peerAddressOf(request: Request, context: unknown): unknown {
  const { peerAddress, remoteAddr, requestIP } = (context ?? {}) as Handed;
  return peerAddress ?? remoteAddr?.hostname ?? requestIP?.call?.(context, request)?.address;
}
