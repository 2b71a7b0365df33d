import { ApplicationMismatchError } from '../applications/known-application.js';
import { reconcileApplications, type ReconcileOptions, type ReconcileSummary } from '../applications/reconcile.js';
import { isBridgeClientError } from '../client/bridge-client-error.js';
import { withTimeout } from '../scheduling.js';
import { withoutTrailingSlash } from '../configuration.js';
import { HttpError, httpErrors, replyError } from '../http/reply.js';
import { type Log, messageOf } from '../log.js';
import { getApplicationRoute, listApplicationsRoute, streamEventsRoute } from './application-routes.js';
import { receiveAccountWebhook } from './account-webhook-route.js';
import type { LicensingHandler, LicensingHandlerOptions } from './options.js';
import { createServices, partnerTimeoutMs, type Route, type Services } from './services.js';
import { createSessionRoute } from './session-route.js';
import { receiveWebhookRoute } from './webhook-route.js';

/** A route and its path. */
interface RouteRow {
  method: 'GET' | 'POST';
  /** The path below the mount; its group is the parameter. */
  path: RegExp;
  /** Whether browsers call it, with a user's cookies. */
  isForBrowsers: boolean;
  route: Route;
}

const routes: readonly RouteRow[] = [
  { method: 'POST', path: /^\/sessions$/, isForBrowsers: true, route: createSessionRoute },
  { method: 'GET', path: /^\/applications$/, isForBrowsers: true, route: listApplicationsRoute },
  { method: 'GET', path: /^\/applications\/([^/]+)$/, isForBrowsers: true, route: getApplicationRoute },
  { method: 'GET', path: /^\/applications\/([^/]+)\/events$/, isForBrowsers: true, route: streamEventsRoute },
  { method: 'POST', path: /^\/webhooks\/(account\.[^/]+)$/, isForBrowsers: false, route: receiveAccountWebhook },
  { method: 'POST', path: /^\/webhooks\/([^/]+)$/, isForBrowsers: false, route: receiveWebhookRoute },
];

/**
 * Creates the partner's side of licensing as one function of a request. Nothing is read or sent
 * before the first request.
 *
 * @throws TypeError that names the option that is wrong.
 */
export function createLicensingHandler<Context = unknown>(
  given: LicensingHandlerOptions<Context>,
): LicensingHandler<Context> {
  // From here on the context is only handed back to the partner's functions.
  const options = given as LicensingHandlerOptions;
  const background = new Set<Promise<unknown>>();
  let isClosed = false;
  const services = createServices(options, () => isClosed);
  const { clock, crossOrigin, log, streams, sync } = services;
  const { reconcileMinutes = 10 } = options;
  let cancelReconcile: (() => void) | undefined;
  let hasUnknownRoute = false;

  async function handle(request: Request, context: unknown): Promise<Response> {
    scheduleReconcile();
    const { row, parameter } = findRoute(services, request, reportUnknownRoute);
    if (request.method === 'OPTIONS') return crossOrigin.preflight(request, row.method);
    if (row.isForBrowsers) crossOrigin.assertAllowed(request);
    return row.route(services, request, {
      parameter,
      context,
      findPeerAddress: () => findPeerAddress(services, request, context),
      waitUntil(work) {
        const tracked = track(work);
        if (hasWaitUntil(context)) context.waitUntil(tracked);
      },
    });
  }

  function track(work: Promise<unknown>): Promise<unknown> {
    const tracked = work.finally(() => background.delete(tracked));
    background.add(tracked);
    return tracked;
  }

  /**
   * A wrong path in a page is the usual first mistake, and its user sees a 404 only. Reported once,
   * because anyone can request many, and without the path, which may contain a token.
   */
  function reportUnknownRoute(): void {
    if (hasUnknownRoute) return;
    hasUnknownRoute = true;
    log({ level: 'info', event: 'request.unknown_route', message: httpErrors.unknown_route[1] });
  }

  /** Not at construction: Workers have no timers outside of a request. */
  function scheduleReconcile(): void {
    if (reconcileMinutes === 0 || cancelReconcile || isClosed) return;
    // Half of the time at random, so that instances that start together do not read together.
    const delayMs = reconcileMinutes * 60_000 * (0.75 + Math.random() / 2);
    cancelReconcile = clock.after(delayMs, () => {
      const run = reconcile().then(
        (summary) => log({ level: 'debug', event: 'reconcile.done', ...summary }),
        (error: unknown) => log({ level: 'error', event: 'reconcile.failed', message: messageOf(error) }),
      );
      void track(run).finally(() => {
        cancelReconcile = undefined;
        scheduleReconcile();
      });
    });
  }

  async function handleRequest(request: Request, context?: unknown): Promise<Response> {
    let response: Response;
    try {
      response = await handle(request, context);
    } catch (error) {
      response = replyError(toHttpError(error, log));
    }
    return crossOrigin.addHeaders(request, response);
  }

  async function reconcile(wanted: ReconcileOptions = {}): Promise<ReconcileSummary> {
    return reconcileApplications(services, wanted);
  }

  async function close(): Promise<void> {
    isClosed = true;
    cancelReconcile?.();
    for (const { end } of [...streams]) end();
    await Promise.allSettled(background);
    await sync.settled();
  }

  async function accountWebhookUrl(): Promise<string> {
    return `${services.webhookBase}/${await services.tokens.createForAccount()}`;
  }

  return Object.assign(handleRequest, {
    publicUrl: withoutTrailingSlash(services.publicUrl),
    accountWebhookUrl,
    reconcile,
    close,
  });
}

/**
 * Finds the route of a request, or of the request that a preflight asks about. @throws
 * {@link HttpError}
 */
function findRoute(
  { basePath }: Services,
  request: Request,
  onUnknown: () => void,
): { row: RouteRow; parameter: string } {
  const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
  const path = pathBelow(basePath, new URL(request.url).pathname);
  for (const row of routes) {
    const match = row.path.exec(path);
    if (!match) continue;
    const isAnswered = row.method === request.method || (isPreflight && row.isForBrowsers);
    if (!isAnswered) throw new HttpError('method_not_allowed', { allow: row.method });
    return { row, parameter: decode(match[1] ?? '') };
  }
  onUnknown();
  throw new HttpError('unknown_route');
}

/**
 * Some mounts remove the base path (Express and Hono with a prefix), some keep it (Next, Fastify),
 * and a proxy may have removed its beginning.
 */
function pathBelow(basePath: string, path: string): string {
  let base = basePath;
  while (base !== '' && !path.startsWith(`${base}/`)) base = base.replace(/^\/[^/]*/, '');
  return path.slice(base.length).replace(/(?<=.)\/$/, '');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpError('unknown_route');
  }
}

/** The additional data of runtimes: `toNodeListener`, `Deno.serve` and `Bun.serve`. */
interface RuntimeContext {
  peerAddress?: unknown;
  remoteAddr?: { hostname?: unknown };
  requestIP?: { call?: (context: unknown, request: Request) => { address?: unknown } | null };
}

async function findPeerAddress(
  { options: { peerAddress: find }, clock }: Services,
  request: Request,
  context: unknown,
): Promise<string | undefined> {
  const { peerAddress, remoteAddr, requestIP } = (context ?? {}) as RuntimeContext;
  const address: unknown = find
    ? await withTimeout(clock, partnerTimeoutMs, 'peerAddress', () => find(request, context))
    : (peerAddress ?? remoteAddr?.hostname ?? requestIP?.call?.(context, request)?.address);
  return typeof address === 'string' ? address : undefined;
}

/** Runtimes pass different things as a second argument; only one with `waitUntil` is used. */
function hasWaitUntil(context: unknown): context is { waitUntil(work: Promise<unknown>): void } {
  return typeof (context as { waitUntil?: unknown } | null | undefined)?.waitUntil === 'function';
}

/** Converts any thrown value into a response. The reason is logged and not sent to the browser. */
function toHttpError(error: unknown, log: Log): HttpError {
  try {
    return classifyError(error, log);
  } catch (unreadable) {
    // A value that the partner's functions throw may imitate our errors, or throw when it is read.
    log({ level: 'error', event: 'handler.failed', message: messageOf(unreadable) });
    return new HttpError('internal');
  }
}

function classifyError(error: unknown, log: Log): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof ApplicationMismatchError) {
    log({ level: 'error', event: 'bridge.mismatch', message: error.message });
    return new HttpError('bridge_mismatch');
  }
  // By the name, because the stores are other entry points and may hold another copy of the class.
  if (error instanceof Error && error.name === 'StoreUnavailableError') {
    log({ level: 'error', event: 'store.unavailable', message: messageOf(error) });
    return new HttpError('store_unavailable', { 'retry-after': '5' });
  }
  if (!isBridgeClientError(error)) {
    log({ level: 'error', event: 'handler.failed', message: messageOf(error) });
    return new HttpError('internal');
  }
  const { code, operation, status, requestId, retryAfterMs, message } = error;
  log({ level: 'error', event: 'bridge.failed', code, operation, status, requestId, message });
  const isOutage = ['unreachable', 'unavailable', 'timeout', 'aborted', 'rate_limited'].includes(code);
  if (!isOutage) return new HttpError(operation === 'login' ? 'bridge_misconfigured' : 'bridge_refused');
  return new HttpError('bridge_unavailable', { 'retry-after': String(Math.ceil((retryAfterMs ?? 5_000) / 1_000)) });
}
