import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { randomId } from '../domain/keys/keys.js';
import { withRequestId } from '../domain/request-id.js';
import type { Metrics } from './metrics.js';
import { type Bindings, callerAddress, type FetchHandler } from '../http/connection.js';

/** Options of the observation of requests. */
export interface ObserveOptions {
  /** The name of the app in logs and metrics. */
  appName: string;
  log: Logger;
  metrics: Metrics;
  /** The number of trusted proxies in front of this app. */
  trustedProxies: number;
}

/**
 * Adds an id to each request of an app and writes one log line: with the pattern of its route,
 * never the path or the query, because the links of the hosted application give access.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each app has its own environment
export function observe(app: Hono<any>, { appName, log, metrics, trustedProxies }: ObserveOptions): FetchHandler {
  let hasWarned = false;
  const warnOnce = () => {
    if (hasWarned) return;
    hasWarned = true;
    // Never the header, which any client can write.
    log.warn(
      { app: appName, trustedProxies },
      'X-Forwarded-For has no address where the outermost trusted proxy adds it. Limits count by the address of the proxy: see "Ports and proxies" in docs/bridge/deploy.md.',
    );
  };
  return function observed(request, incoming) {
    const startedAt = performance.now();
    const { outgoing } = incoming;
    const node = incoming as HttpBindings;
    const address = callerAddress(node.incoming, trustedProxies, warnOnce);
    const bindings: Bindings = { ...node, requestId: randomId('req'), address, logged: {} };
    const { requestId } = bindings;
    // Set on Node's response, because a Response whose headers are not read creates no Headers.
    outgoing.setHeader('x-request-id', requestId);
    // Read from Node's headers, as above. Repeated headers are joined there, which is invalid.
    const traceparent = bindings.incoming?.headers['traceparent'];
    return withRequestId(requestId, () => answer(request, bindings, startedAt), String(traceparent));
  };

  async function answer(request: Request, bindings: Bindings, startedAt: number): Promise<Response> {
    const { requestId, logged } = bindings;
    const response = await app.fetch(request, bindings);
    const durationMs = performance.now() - startedAt;
    const { operation = '', route = routePattern(app, request) } = bindings;
    const answered = { app: appName, operation, method: request.method, route };
    const { status } = response;
    metrics.countRequest({ ...answered, status, durationMs });
    log.info({ ...answered, requestId, status, durationMs: Math.round(durationMs), ...logged }, 'request');
    return response;
  }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
function routePattern(app: Hono<any>, request: Request): string {
  const [matched] = app.router.match(request.method, new URL(request.url).pathname);
  const patterns = matched.map(([[, route]]) => route.path).filter((path) => !path.includes('*'));
  return patterns[0] ?? '(none)';
}
