import {
  assertFunctions,
  assertGroup,
  assertKnownNames,
  parseConfiguredUrl,
  withoutTrailingSlash,
} from '../configuration.js';
import { ApplicationMismatchError } from '../applications/known-application.js';
import { reconcileApplications, type ReconcileOptions, type ReconcileSummary } from '../applications/reconcile.js';
import { createSessions } from '../applications/sessions.js';
import { createSync } from '../applications/sync.js';
import { isBridgeClientError } from '../client/bridge-client-error.js';
import { backgroundClock, withTimeout } from '../clock.js';
import { createCrossOrigin } from '../http/cross-origin.js';
import { createEventStreams } from '../http/event-stream.js';
import { HttpError } from '../http/http-errors.js';
import { replyError } from '../http/reply.js';
import { consoleLog, ignoreErrors, type Log, messageOf } from '../log.js';
import { createSerialize } from '../single-flight.js';
import { memoryStore } from '../store/memory-store.js';
import { createSignatureVerifier } from '../webhooks/webhook-signature.js';
import { createWebhookTokens } from '../webhooks/webhook-token.js';
import { licensingHandlerOptions, type LicensingHandler, type LicensingHandlerOptions } from './options.js';
import { findRoute } from './routes.js';
import { partnerTimeoutMs, type Services } from './services.js';

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
  const { reconcileMinutes = 10 } = options;
  const background = new Set<Promise<unknown>>();
  let isClosed = false;
  const services = createServices(options, () => isClosed);
  const { clock, crossOrigin, log, streams, sync } = services;
  let cancelReconcile: (() => void) | undefined;

  async function handle(request: Request, context: unknown): Promise<Response> {
    scheduleReconcile();
    const { row, parameter } = findRoute(services.basePath, request);
    if (request.method === 'OPTIONS') return crossOrigin.preflight(request, row.method);
    if (row.isForBrowsers) crossOrigin.assertAllowed(request);
    return row.route(services, request, {
      parameter,
      context,
      findPeerAddress: () => findPeerAddress(options, request, context, services),
      waitUntil,
    });

    function waitUntil(work: Promise<unknown>): void {
      const tracked = work.finally(() => background.delete(tracked));
      background.add(tracked);
      if (hasWaitUntil(context)) context.waitUntil(tracked);
    }
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
      background.add(run);
      void run.finally(() => {
        background.delete(run);
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
    streams.close();
    await Promise.allSettled(background);
    await sync.settled();
  }

  return Object.assign(handleRequest, { publicUrl: withoutTrailingSlash(services.publicUrl), reconcile, close });
}

function createServices(options: LicensingHandlerOptions, isClosed: () => boolean): Services {
  assertGroup('createLicensingHandler', options);
  assertKnownNames('createLicensingHandler', options, licensingHandlerOptions);
  const { bridge, on: listeners = {}, clock = backgroundClock, store = memoryStore() } = options;
  const { maxUnfinishedApplications: maxUnfinished = 10, reconcileMinutes = 10, resumeUnfinished = true } = options;
  assertFunctions('', options, ['identify', 'session']);
  assertFunctions('', options, namesOfGiven(options, ['verifyWebhook', 'log', 'peerAddress']));
  assertGroup('bridge', bridge);
  assertFunctions('bridge.profiles.', bridge.profiles, ['sync']);
  assertFunctions('bridge.sessions.', bridge.sessions, ['create']);
  assertFunctions('bridge.applications.', bridge.applications, ['get']);
  assertFunctions('store.', store, ['get', 'put', 'byApplication', 'byUser', 'listOpen']);
  assertFunctions('clock.', clock, ['now', 'after']);
  assertGroup('on', listeners);
  const events = ['progress', 'submitted', 'status', 'requiresAction'] as const;
  assertKnownNames('on', listeners, events);
  assertFunctions('on.', listeners, namesOfGiven(listeners, events));
  if (typeof resumeUnfinished !== 'boolean') throw new TypeError('resumeUnfinished must be true or false.');
  if (!(Number.isInteger(maxUnfinished) && maxUnfinished >= 1)) {
    throw new TypeError('maxUnfinishedApplications must be a whole number from 1.');
  }
  if (!(reconcileMinutes >= 0 && reconcileMinutes <= 24 * 60)) {
    throw new TypeError('reconcileMinutes must be a number from 0 to 1440.');
  }
  const publicUrl = parseConfiguredUrl('publicUrl', options.publicUrl);
  const base = withoutTrailingSlash(publicUrl);
  const webhookUrl = parseConfiguredUrl('webhookUrl', options.webhookUrl ?? `${base}/webhooks`);
  const log = ignoreErrors(options.log ?? consoleLog);
  const tokens = createWebhookTokens(options.secret);
  const verifySignature =
    options.webhookSecret === undefined ? undefined : createSignatureVerifier(options.webhookSecret);
  if (!options.store && isProduction()) {
    const message =
      'memoryStore() loses all applications at a restart. Set `store` to redisStore() or postgresStore().';
    log({ level: 'warn', event: 'store.memory_in_production', message });
  }
  return {
    options,
    publicUrl,
    basePath: base.slice(publicUrl.origin.length),
    store,
    clock,
    log,
    tokens,
    verifySignature,
    sync: createSync({ bridge, store, listeners, clock, log }),
    sessions: createSessions({
      bridge,
      store,
      tokens,
      clock,
      webhookBase: withoutTrailingSlash(webhookUrl),
      maxUnfinished,
    }),
    serialize: createSerialize(),
    streams: createEventStreams(clock),
    crossOrigin: createCrossOrigin(publicUrl.origin, options.cors),
    isClosed,
  };
}

function namesOfGiven<Options extends object>(options: Options, names: readonly (keyof Options & string)[]): string[] {
  return names.filter((name) => options[name] !== undefined);
}

function isProduction(): boolean {
  // Not every runtime has `process`.
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.['NODE_ENV'] === 'production';
}

/** What runtimes provide besides a request: `toNodeListener`, `Deno.serve` and `Bun.serve`. */
interface RuntimeContext {
  peerAddress?: unknown;
  remoteAddr?: { hostname?: unknown };
  requestIP?: { call?: (context: unknown, request: Request) => { address?: unknown } | null };
}

async function findPeerAddress(
  { peerAddress: find }: LicensingHandlerOptions,
  request: Request,
  context: unknown,
  { clock }: Services,
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

/** Turns anything thrown into an answer. The reason goes to the log and not to the browser. */
function toHttpError(error: unknown, log: Log): HttpError {
  try {
    return classifyError(error, log);
  } catch (unreadable) {
    // What the partner's functions throw may look like an error of ours, or throw when it is read.
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
  if (!isBridgeClientError(error)) {
    log({ level: 'error', event: 'handler.failed', message: messageOf(error) });
    return new HttpError('internal');
  }
  const { code, operation, status, requestId, retryAfterMs, message } = error;
  log({ level: 'error', event: 'bridge.failed', code, operation, status, requestId, message });
  const isOutage = ['unreachable', 'unavailable', 'timeout', 'aborted', 'rate_limited'].includes(code);
  if (!isOutage) return new HttpError('bridge_refused');
  return new HttpError('bridge_unavailable', { 'retry-after': String(Math.ceil((retryAfterMs ?? 5_000) / 1_000)) });
}
