import { parseConfiguredUrl, withoutTrailingSlash } from '../addresses.js';
import { assertFunctions, assertGroup } from '../assert-options.js';
import { createCurrentApplications } from '../applications/current-applications.js';
import { createLeftWork } from '../applications/left-work.js';
import { reconcileApplications, type ReconcileOptions, type ReconcileSummary } from '../applications/reconcile.js';
import { createTeller } from '../applications/teller.js';
import { isBridgeClientError, type BridgeClientError } from '../client/bridge-client-error.js';
import { backgroundClock } from '../clock.js';
import { inTime } from '../in-time.js';
import { harmless, silentLog, type Log } from '../log.js';
import { messageOf } from '../redact.js';
import { memoryStore } from '../store/memory-store.js';
import { createCapabilities } from '../webhooks/capability.js';
import { confirmWithBridge } from '../webhooks/confirm-with-bridge.js';
import { createDeliveries } from '../webhooks/deliveries.js';
import type { WebhookVerdict } from '../webhooks/webhook-check.js';
import { createCors } from './cors.js';
import { refuseCrossSite } from './cross-site.js';
import { createOpenStreams } from './open-streams.js';
import type { LicensingHandler, LicensingHandlerOptions } from './options.js';
import { peerAddressOf } from './peer-address.js';
import { Refusal } from './refusals.js';
import { replyRefusal } from './reply.js';
import { findRoute } from './routes.js';
import type { HandlerScope } from './scope.js';

/**
 * Creates the partner's side of licensing as one function of a request. Nothing is read or sent until the first one.
 * @throws TypeError when an option is wrong.
 */
export function createLicensingHandler<Context = unknown>(
  given: LicensingHandlerOptions<Context>,
): LicensingHandler<Context> {
  // From here on nobody looks into the context: it goes back as it came.
  const options = given as LicensingHandlerOptions;
  const working = new Set<Promise<unknown>>();
  let closing = false;
  const scope = createScope(options, () => closing);
  const { clock, cors, deliveries, leftWork, log, streams, teller } = scope;

  function keep(work: Promise<unknown>): void {
    working.add(work);
    void work.finally(() => working.delete(work));
  }

  async function handle(request: Request, context: unknown): Promise<Response> {
    const { row, parameter } = findRoute(scope.basePath, request);
    if (request.method === 'OPTIONS') return cors.preflight(request, row.method);
    if (row.isForBrowsers) refuseCrossSite(request, scope.publicOrigin, cors);
    function waitUntil(work: Promise<unknown>): void {
      keep(work);
      if (hasWaitUntil(context)) context.waitUntil(work);
    }
    leftWork.wake(waitUntil);
    const { peerAddress } = options;
    const address: unknown = peerAddress
      ? await inTime(clock, 30, 'peerAddress', () => peerAddress(request, context))
      : peerAddressOf(request, context);
    const beside = { waitUntil, context, peerAddress: typeof address === 'string' ? address : undefined };
    const answer = row.route(scope, request, parameter, beside);
    // Others may wait for what this request began, such as a login: Workers end it when the browser of this one leaves.
    if (hasWaitUntil(context)) context.waitUntil(answer.catch(() => undefined));
    return answer;
  }

  async function handleRequest(request: Request, context?: unknown): Promise<Response> {
    let response: Response;
    try {
      response = await handle(request, context);
    } catch (error) {
      response = replyRefusal(refusalOf(error, log));
    }
    return cors.release(request, response);
  }

  async function reconcile(wanted: ReconcileOptions = {}): Promise<ReconcileSummary> {
    const summary = await reconcileApplications(scope, wanted);
    await leftWork.takeOver();
    return summary;
  }

  async function close(): Promise<void> {
    closing = true;
    const left = leftWork.close();
    deliveries.close();
    streams.close();
    await teller.close();
    await Promise.allSettled([left, ...working]);
  }

  return Object.assign(handleRequest, { reconcile, close });
}

function createScope(options: LicensingHandlerOptions, isClosed: () => boolean): HandlerScope {
  const { bridge, identify, session, peerAddress = peerAddressOf, on = {}, checks = [confirmWithBridge()] } = options;
  const { cors = { origins: [] }, streams = {} } = options;
  assertGroup('on', on);
  assertGroup('streams', streams);
  const { clock = backgroundClock, store = memoryStore() } = options;
  const publicUrl = parseConfiguredUrl('publicUrl', options.publicUrl);
  const base = withoutTrailingSlash(publicUrl);
  const webhookUrl = parseConfiguredUrl('webhookUrl', options.webhookUrl ?? `${base}/webhooks`);
  const functions = { identify, session, peerAddress, log: options.log ?? silentLog };
  assertFunctions('', functions, Object.keys(functions));
  assertGroup('bridge', bridge);
  assertFunctions('bridge.profiles.', bridge.profiles, ['sync']);
  assertFunctions('bridge.sessions.', bridge.sessions, ['create']);
  assertFunctions('bridge.applications.', bridge.applications, ['get']);
  assertFunctions('store.', store, Object.keys(memoryStore()));
  assertFunctions('clock.', clock, Object.keys(backgroundClock));
  const heard = Object.entries(on).flatMap(([name, listener]) => (listener === undefined ? [] : name));
  assertFunctions('on.', on, heard);
  for (const check of checks) assertFunctions('checks: ', check, ['check']);
  const log = options.log ? harmless(options.log) : silentLog;
  const teller = createTeller({ listeners: on, store, clock, log });
  const applications = createCurrentApplications({ bridge, store, clock, log, teller });
  const onVerdict = (verdict: WebhookVerdict) => on.webhook?.(verdict);
  const deliveries = createDeliveries({ checks, applications, store, teller, clock, log, onVerdict });
  return {
    options,
    basePath: base.slice(publicUrl.origin.length),
    publicOrigin: publicUrl.origin,
    webhookBase: withoutTrailingSlash(webhookUrl),
    store,
    clock,
    log,
    capabilities: createCapabilities(checkSecrets(options.secret)),
    applications,
    teller,
    deliveries,
    leftWork: createLeftWork({ store, deliveries, teller, clock, log }),
    streams: createOpenStreams(streams),
    cors: createCors(cors),
    isClosed,
  };
}

function checkSecrets(secret: string | readonly string[]): readonly [string, ...string[]] {
  const [first, ...others] = [secret].flat();
  const secrets = [first ?? '', ...others] as const;
  if (secrets.some((one) => typeof one !== 'string' || one.length < 32)) {
    throw new TypeError('secret must be at least 32 random characters: `openssl rand -base64 32`.');
  }
  return secrets;
}

/** Runtimes pass different things as a second argument; only what can wait is used. */
function hasWaitUntil(context: unknown): context is { waitUntil(work: Promise<unknown>): void } {
  return typeof (context as { waitUntil?: unknown } | null | undefined)?.waitUntil === 'function';
}

/** Turns anything thrown into an answer. What it really was goes to the log, not to the browser. */
function refusalOf(error: unknown, log: Log): Refusal {
  if (error instanceof Refusal) return error;
  if (isBridgeClientError(error)) return refusalOfBridge(error, log);
  log({ level: 'error', event: 'handler.failed', message: messageOf(error) });
  return new Refusal('internal');
}

function refusalOfBridge(error: BridgeClientError, log: Log): Refusal {
  const { code, retryAfterMs } = error;
  log({ level: 'error', event: 'bridge.failed', ...error.toJSON() });
  const isOutage = ['unreachable', 'unavailable', 'timeout', 'aborted', 'rate_limited'].includes(code);
  if (!isOutage) return new Refusal('bridge_refused');
  return new Refusal('bridge_unavailable', { 'retry-after': String(Math.ceil((retryAfterMs ?? 5_000) / 1_000)) });
}
