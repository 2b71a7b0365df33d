import { isIPv6 } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { bringsDocument, createApplyApp, loadApplyAssets, type ApplyAssets } from '../apply/index.js';
import { createConsoleApp } from '../console/index.js';
import { createBulkWorker } from './bulk-worker.js';
import { openCore, storeShippedCatalogue, type BridgeCore } from './core.js';
import { createCatalogues } from '../domain/catalogue/catalogues.js';
import { cleanUp } from '../domain/retention/retention.js';
import { type BridgeContext, createMutex } from '../domain/context.js';
import { decideSimulated } from '../domain/filings/departments.js';
import { runFilingJob } from '../domain/filings/gateway-job.js';
import { createLinks } from '../domain/keys/keys.js';
import { createLimiter } from '../domain/limits/limiter.js';
import type { ServerLimits } from '../domain/limits/limits.js';
import { chooseProcessors } from '../domain/payments/choose-processors.js';
import { runPaymentJob } from '../domain/payments/run-job.js';
import { createTestProcessor } from '../adapters/test-processor.js';
import type { Environment } from '../config/environment.js';
import { createApi } from '../http/api.js';
import { observe } from '../metrics/observe.js';
import { listen, type HttpServer } from '../http/server.js';
import { startJobs, type Jobs } from './jobs.js';
import { loadAdapters } from '../config/load-adapters.js';
import { createLogger } from '../config/log.js';
import { createMetricsPage } from '../metrics/page.js';
import { createWebhookSender, type WebhookSender } from '../outbox/webhook-sender.js';
import { createOutboxWorker } from '../outbox/worker.js';
import { describeMissingOperator, readOperator, type Operator } from '../pages/operator.js';
import type { Adapters } from '../ports/adapters.js';
import { manualFiling } from '../ports/filing-gateway.js';
import { createTableRegistry } from '../registry/table-registry.js';
import { createTableStorage } from '../store/documents/document-store.js';
import { findPending } from '../store/migrate.js';

/** Replacements of defaults. An adapter takes precedence over the one of `BRIDGE_ADAPTERS`. */
export interface StartOptions extends Adapters {
  /** The log. Default: JSON lines on standard output, from `LOG_LEVEL` up. */
  log?: Logger;
  /** The clock. Default: `new Date()`. */
  clock?: () => Date;
  /** The script and style sheet of the hosted application. Default: those of the build. */
  assets?: ApplyAssets;
  /** The time limits of callers. Default: `serverLimits`. */
  serverLimits?: Partial<ServerLimits>;
  /** The webhook sender. */
  sender?: WebhookSender;
}

/** A running bridge. */
export interface RunningBridge {
  /** The public URL of the API. */
  bridgeUrl: string;
  /** The public origin of the hosted application. */
  applyUrl: string;
  /** The public origin of the console; `undefined` without `CONSOLE_PORT`. */
  consoleUrl: string | undefined;
  /** The URL of the Prometheus metrics; `undefined` without `BRIDGE_METRICS_PORT`. */
  metricsUrl: string | undefined;
  context: BridgeContext;
  /** Stops gracefully. A second call waits for the first. */
  stop(): Promise<void>;
}

/** The time limit of current requests when the bridge stops. */
const requestDeadlineMs = 10_000;
/** Slightly more than the time limit of a delivery. */
const deliveryDeadlineMs = 11_000;

/** Starts the whole service: API, hosted application, webhooks and jobs. */
export async function startBridge(environment: Environment, given: StartOptions = {}): Promise<RunningBridge> {
  const log = given.log ?? createLogger(environment.LOG_LEVEL);
  // An explicit `undefined` must not remove an adapter, such as the document scanner.
  const stated = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const options: StartOptions = { ...(await loadAdapters(environment)), ...stated };
  const operator = readOperator(environment);
  const missing = describeMissingOperator(operator);
  if (environment.NODE_ENV === 'production' && missing !== undefined) log.warn(missing);
  // The opened resources, which are closed in this order when a later step fails.
  const opened: (() => Promise<void>)[] = [];
  try {
    // The ports first, so that a port in use is reported before the database starts.
    const listenOn = async (variable: PortVariable, port: number, host = environment.BRIDGE_HOST) => {
      const isUpload = variable === 'APPLY_PORT' ? bringsDocument : () => false;
      const server = await listen({ host, port, variable, limits: options.serverLimits, isUpload });
      opened.unshift(() => server.close(0));
      return server;
    };
    const { BRIDGE_METRICS_PORT: metricsPort, BRIDGE_METRICS_HOST: metricsHost } = environment;
    const api = await listenOn('BRIDGE_PORT', environment.BRIDGE_PORT);
    const apply = await listenOn('APPLY_PORT', environment.APPLY_PORT);
    const { CONSOLE_PORT: consolePort, CONSOLE_HOST: consoleHost } = environment;
    // Not on BRIDGE_HOST, which is often 0.0.0.0: the console shows SSNs and must not be public.
    const operators = consolePort === undefined ? undefined : await listenOn('CONSOLE_PORT', consolePort, consoleHost);
    const isMetered = metricsPort !== undefined;
    const metrics = isMetered ? await listenOn('BRIDGE_METRICS_PORT', metricsPort, metricsHost) : undefined;
    const core = await openCore(environment, log, { keys: options.keyProvider });
    opened.push(() => core.close());
    const service = await startService({ environment, options, operator, log, core, api, apply, operators, metrics });
    const { bridgeUrl, applyUrl, consoleUrl, metricsUrl } = service;
    log.info({ api: bridgeUrl, apply: applyUrl, console: consoleUrl, metrics: metricsUrl }, 'The bridge is serving.');
    return service;
  } catch (error) {
    for (const close of opened) await close();
    throw error;
  }
}

type PortVariable = 'BRIDGE_PORT' | 'APPLY_PORT' | 'CONSOLE_PORT' | 'BRIDGE_METRICS_PORT';

interface Parts {
  environment: Environment;
  options: StartOptions;
  operator: Operator;
  log: Logger;
  core: BridgeCore;
  api: HttpServer;
  apply: HttpServer;
  operators: HttpServer | undefined;
  metrics: HttpServer | undefined;
}

async function startService(parts: Parts): Promise<RunningBridge> {
  const { environment, options, operator, log, core, api, apply, operators, metrics } = parts;
  const clock = options.clock ?? (() => new Date());
  const bridgeUrl = environment.BRIDGE_URL ?? `http://127.0.0.1:${String(api.port)}`;
  const applyUrl = environment.APPLY_URL ?? `http://127.0.0.1:${String(apply.port)}`;
  const { db, keys } = core;
  const links = createLinks(keys, applyUrl);
  const assets = options.assets ?? loadApplyAssets();
  const { BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: isLoopbackAllowed } = environment;
  const sender = options.sender ?? createWebhookSender(clock, { isLoopbackAllowed });
  const retryScale = environment.BRIDGE_WEBHOOK_RETRY_SCALE;
  const { poolUse } = core;
  const metricsPage = createMetricsPage({ db, clock, poolUse, countJobs: () => jobs.count() });
  const outbox = createOutboxWorker({ db, keys, links, clock, log, sender, retryScale, metrics: metricsPage.metrics });

  const testProcessor = createTestProcessor({ db, applyUrl });
  const processorFor = chooseProcessors(options.paymentProcessor, testProcessor);

  // The workers use the context, and the context wakes them: no job is scheduled before both exist.
  const context: BridgeContext = {
    db,
    keys,
    links,
    catalogues: createCatalogues(await storeShippedCatalogue(db)),
    areSampleFeesAllowed: environment.BRIDGE_ALLOW_SAMPLE_FEES,
    registry: options.producerRegistry ?? createTableRegistry(db, keys),
    documents: {
      storage: options.documentStorage ?? createTableStorage(db),
      scanner: options.documentScanner,
    },
    filing: {
      gateway: options.filingGateway ?? (environment.BRIDGE_FILING === 'manual' ? manualFiling() : undefined),
      schedule: (trx, job, afterSeconds) => jobs.scheduleFiling(trx, job, afterSeconds),
    },
    limiter: createLimiter({
      db,
      keys,
      log,
      points: { requests: environment.BRIDGE_RATE_LIMIT, pages: environment.BRIDGE_PAGE_LIMIT },
    }),
    clock,
    log,
    sessionTtlSeconds: environment.BRIDGE_SESSION_TTL,
    tokenTtlSeconds: environment.BRIDGE_TOKEN_TTL,
    retentionDays: environment.BRIDGE_RETENTION_DAYS,
    retention: {
      deliveredWebhooks: environment.BRIDGE_WEBHOOK_RETENTION_DAYS,
      deadWebhooks: environment.BRIDGE_DEAD_WEBHOOK_RETENTION_DAYS,
      bulkOnboardings: environment.BRIDGE_BULK_RETENTION_DAYS,
      registryUpdates: environment.BRIDGE_UPDATE_RETENTION_DAYS,
      auditEntries: environment.BRIDGE_AUDIT_RETENTION_DAYS,
    },
    areLoopbackWebhooksAllowed: isLoopbackAllowed,
    bridgeUrl,
    applyUrl,
    withMutex: createMutex(),
    wakeOutbox: outbox.wake,
    schedule: (trx, job, afterSeconds) => jobs.schedule(trx, job, afterSeconds),
    schedulePayment: (trx, job, afterSeconds) => jobs.schedulePayment(trx, job, afterSeconds),
    processorFor,
    wakeBulk: () => bulk.wake(),
  };
  if (context.documents.scanner === undefined) {
    log.warn('No document scanner is set. Documents that users upload are not scanned for malware.');
  }
  const jobs: Jobs = await startJobs(
    core.jobs,
    {
      department: (job) => decideSimulated(context, job),
      filing: (job) => runFilingJob(context, job),
      payment: (job) => runPaymentJob(context, job),
      cleanUp: (signal) => cleanUp(context, signal),
    },
    log,
  );
  const bulk = createBulkWorker(context);
  outbox.start();
  bulk.start();

  let stopping: Promise<void> | undefined;
  let hasMigrated = false;
  const isReady = async () => {
    if (stopping !== undefined) return false;
    try {
      await sql`select 1`.execute(db);
      // Migrations are never undone, so one successful check is enough.
      hasMigrated ||= (await findPending(db)).length === 0;
      return hasMigrated;
    } catch {
      return false;
    }
  };

  const { BRIDGE_TRUSTED_PROXIES: trustedProxies, BRIDGE_STOP_DELAY: stopDelay } = environment;
  const { metrics: counted } = metricsPage;
  const observed = (appName: string) => ({ appName, log, metrics: counted, trustedProxies });
  api.serve(observe(createApi(context, { isReady }), observed('api')));
  apply.serve(observe(createApplyApp(context, { assets, testProcessor, operator }), observed('apply')));
  const consoleUrl = operators && (environment.CONSOLE_URL ?? `http://127.0.0.1:${String(operators.port)}`);
  if (consoleUrl !== undefined) {
    operators?.serve(observe(createConsoleApp(context, { assets, consoleUrl }), observed('console')));
  }
  metrics?.serve(metricsPage.serve);

  const stop = async () => {
    log.info('The bridge is stopping.');
    const servers = [api, apply, ...(operators === undefined ? [] : [operators])];
    for (const server of servers) server.drain();
    // A load balancer sends requests to this instance until it has polled /readyz.
    if (stopDelay > 0) await setTimeout(stopDelay * 1_000);
    const workers = [outbox.stop(deliveryDeadlineMs), bulk.stop()];
    await Promise.all(servers.map((server) => server.close(requestDeadlineMs)));
    // After the last request, which may have scheduled a job.
    await Promise.all([...workers, jobs.stop()]);
    await sender.close();
    metricsPage.stop();
    await metrics?.close(0);
    await core.close();
    log.info('The bridge has stopped.');
  };
  const { BRIDGE_METRICS_HOST: metricsHost } = environment;
  const metricsAddress = isIPv6(metricsHost) ? `[${metricsHost}]` : metricsHost;
  const metricsUrl = metrics && `http://${metricsAddress}:${String(metrics.port)}/metrics`;
  return { bridgeUrl, applyUrl, consoleUrl, metricsUrl, context, stop: () => (stopping ??= stop()) };
}
