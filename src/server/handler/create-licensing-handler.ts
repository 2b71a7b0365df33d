import { parseConfiguredUrl, withoutTrailingSlash } from '../addresses.js';
import { createCurrentApplications } from '../applications/current-applications.js';
import { createTeller } from '../applications/teller.js';
import { isBridgeError, type BridgeClientError } from '../client/bridge-client-error.js';
import { backgroundClock } from '../clock.js';
import { silentLog, type Log } from '../log.js';
import { redact } from '../redact.js';
import { memoryStore } from '../store/memory-store.js';
import { createCapabilities } from '../webhooks/capability.js';
import { confirmWithBridge } from '../webhooks/confirm-with-bridge.js';
import { createDeliveries } from '../webhooks/deliveries.js';
import { refuseCrossSite } from './cross-site.js';
import type { LicensingHandler, LicensingHandlerOptions } from './options.js';
import { Refusal } from './refusals.js';
import { replyRefusal } from './reply.js';
import { findRoute } from './routes.js';
import type { HandlerScope } from './scope.js';

/**
 * Creates the partner's side of licensing as one function of a request. Nothing is read or sent until the first one.
 * @throws TypeError when an option is wrong.
 */
export function createLicensingHandler(options: LicensingHandlerOptions): LicensingHandler {
  const working = new Set<Promise<unknown>>();
  let closing = false;
  const scope = createScope(options, () => closing);

  async function handle(request: Request, context: unknown): Promise<Response> {
    const { route, parameter, isForBrowsers } = findRoute(scope.basePath, request);
    if (isForBrowsers) refuseCrossSite(request, scope.publicOrigin);
    return route(scope, request, parameter, function waitUntil(work) {
      working.add(work);
      // It does not reject by itself; a log function of the partner's that throws must not end the process.
      void work.catch(() => undefined).finally(() => working.delete(work));
      if (hasWaitUntil(context)) context.waitUntil(work);
    });
  }

  async function handleRequest(request: Request, context?: unknown): Promise<Response> {
    try {
      return await handle(request, context);
    } catch (error) {
      return replyRefusal(refusalOf(error, scope.log));
    }
  }

  async function close(): Promise<void> {
    closing = true;
    scope.deliveries.close();
    for (const stream of [...scope.streams]) stream.close();
    await Promise.allSettled([...working]);
  }

  return Object.assign(handleRequest, { close });
}

function createScope(options: LicensingHandlerOptions, isClosed: () => boolean): HandlerScope {
  const { clock = backgroundClock, log = silentLog, on = {}, checks = [confirmWithBridge()] } = options;
  const publicUrl = parseConfiguredUrl('publicUrl', options.publicUrl);
  const base = withoutTrailingSlash(publicUrl);
  const webhookUrl = parseConfiguredUrl('webhookUrl', options.webhookUrl ?? `${base}/webhooks`);
  for (const name of ['identify', 'session'] as const) {
    if (typeof options[name] !== 'function') throw new TypeError(`${name} must be a function.`);
  }
  const store = options.store ?? memoryStore();
  const teller = createTeller(on, log);
  const applications = createCurrentApplications({ bridge: options.bridge, store, clock, log, teller });
  const onVerdict = on.webhook ? on.webhook.bind(on) : () => undefined;
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
    deliveries: createDeliveries({ checks, applications, teller, clock, log, onVerdict }),
    streams: new Set(),
    isClosed,
  };
}

function checkSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat();
  if (secrets.length === 0 || secrets.some((one) => typeof one !== 'string' || one.length < 32)) {
    throw new TypeError('secret must be at least 32 random characters, such as those of `openssl rand -base64 32`.');
  }
  return secrets;
}

/** Runtimes pass different things as a second argument; only what can wait is used. */
function hasWaitUntil(context: unknown): context is { waitUntil(work: Promise<unknown>): void } {
  return (
    typeof context === 'object' && context !== null && 'waitUntil' in context && typeof context.waitUntil === 'function'
  );
}

/** Turns anything thrown into an answer. What it really was goes to the log, not to the browser. */
function refusalOf(error: unknown, log: Log): Refusal {
  if (error instanceof Refusal) return error;
  if (isBridgeError(error)) return refusalOfBridge(error, log);
  const message = redact(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  log({ level: 'error', event: 'handler.failed', message });
  return new Refusal('internal');
}

function refusalOfBridge(error: BridgeClientError, log: Log): Refusal {
  const { message, code, operation, status, requestId, retryAfterMs } = error;
  log({ level: 'error', event: 'bridge.failed', message, code, operation, status, requestId });
  const isOutage = ['unreachable', 'unavailable', 'timeout', 'aborted', 'rate_limited'].includes(code);
  if (!isOutage) return new Refusal('bridge_refused');
  return new Refusal('bridge_unavailable', { 'retry-after': String(Math.ceil((retryAfterMs ?? 5_000) / 1_000)) });
}
