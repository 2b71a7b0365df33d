import { isIPv6 } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createTestProcessor, type TestProcessor } from '../adapters/test-processor.js';
import { createApplyApp, loadApplyAssets, type ApplyAssets } from '../apply/index.js';
import type { Environment } from '../config/environment.js';
import { createLogger } from '../config/log.js';
import { createConsoleApp } from '../console/index.js';
import { linkAudit } from '../domain/audit/chain.js';
import type { IdentityProvider } from '../domain/operators/identity-provider.js';
import type { BridgeContext } from '../domain/context.js';
import { decideSimulated } from '../domain/filings/departments.js';
import { runFilingJob } from '../domain/filings/gateway-job.js';
import { createLinks } from '../domain/keys/keys.js';
import type { ServerLimits } from '../domain/limits/limits.js';
import { runPaymentJob } from '../domain/payments/run-job.js';
import { cleanUp } from '../domain/retention/retention.js';
import { createApi } from '../http/api.js';
import { runMailJob } from '../mail/run-mail-job.js';
import { observe } from '../metrics/observe.js';
import { loadIdentityProvider } from './identity-provider.js';
import { createMetricsPage, type MetricsPage } from '../metrics/page.js';
import { createEndpointSweeper } from '../outbox/endpoint-sweeper.js';
import { createWebhookSender, type WebhookSender } from '../outbox/webhook-sender.js';
import { createOutboxWorker, type OutboxWorker } from '../outbox/worker.js';
import { describeMissingOperator, readOperator, type Operator } from '../pages/operator.js';
import type { Adapters } from '../ports/adapters.js';
import { guardAdapters, type GuardedAdapters } from '../ports/guard-adapters.js';
import { createTableRegistry } from '../registry/table-registry.js';
import { assertWritable } from '../store/assert-writable.js';
import { succeedsInTime } from '../store/succeeds-in-time.js';
import type { Database } from '../store/tables/typed-database.js';
import { findPending } from '../store/migrate.js';
import type { WorkLoop } from '../outbox/work-loop.js';
import { adaptersOf, stated } from './adapters.js';
import { createBulkWorker } from './bulk-worker.js';
import { openCore, type BridgeCore } from './core.js';
import { createContext, type PublicUrls } from './create-context.js';
import { startJobs, type JobWork, type Jobs } from './jobs.js';
import { openServers, type BridgeServers } from './open-servers.js';
import { startUpdateReports, type UpdateReports } from './update-reports.js';

/**
 * Replacements of defaults. An adapter takes precedence over the one of `BRIDGE_ADAPTERS`, and that
 * one over the bridge's own for a service of the environment.
 */
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

/** A database that takes longer for a small write serves nobody, such as one that waits for a standby. */
const readyDeadlineMs = 5_000;

/** Starts the whole service: API, hosted application, webhooks and jobs. */
export async function startBridge(environment: Environment, given: StartOptions = {}): Promise<RunningBridge> {
  const log = given.log ?? createLogger(environment.LOG_LEVEL);
  const options: StartOptions = { ...(await adaptersOf(environment)), ...stated(given) };
  const adapters = guardAdapters(options);
  const operator = readOperator(environment);
  const missing = describeMissingOperator(operator);
  if (environment.NODE_ENV === 'production' && missing !== undefined) log.warn(missing);
  // The opened resources, which are closed in this order when a later step fails.
  const opened: (() => Promise<void>)[] = [];
  try {
    // The ports first, so that a port in use is reported before the database starts.
    const servers = await openServers(environment, options.serverLimits, (server) => {
      opened.unshift(() => server.close(0));
    });
    const core = await openCore(environment, log, { keys: adapters.keyProvider });
    opened.push(() => core.close());
    const bridge = await startService({ environment, options, adapters, operator, log, core, servers });
    const { bridgeUrl, applyUrl, consoleUrl, metricsUrl } = bridge;
    log.info({ api: bridgeUrl, apply: applyUrl, console: consoleUrl, metrics: metricsUrl }, 'The bridge is serving.');
    return bridge;
  } catch (error) {
    for (const close of opened) await close();
    throw error;
  }
}

/** The parts that are open before the service starts. */
interface Parts {
  environment: Environment;
  options: StartOptions;
  adapters: GuardedAdapters;
  operator: Operator;
  log: Logger;
  core: BridgeCore;
  servers: BridgeServers;
}

/** The background of a serving bridge. */
interface Background {
  updateReports: UpdateReports;
  sender: WebhookSender;
  outbox: OutboxWorker;
  sweeper: WorkLoop;
  bulk: WorkLoop;
  jobs: Jobs;
  metricsPage: MetricsPage;
  testProcessor: TestProcessor | undefined;
}

async function startService(parts: Parts): Promise<RunningBridge> {
  const urls = urlsOf(parts);
  const { context, background } = await startBackground(parts, urls);
  const identityProvider = await loadIdentityProvider(parts.environment, urls.consoleUrl);
  let stopping: Promise<void> | undefined;
  serveApps(parts, { urls, context, background, identityProvider, isStopping: () => stopping !== undefined });
  return { ...urls, context, stop: () => (stopping ??= stopService(parts, background)) };
}

function urlsOf({ environment, servers }: Parts): PublicUrls & Pick<RunningBridge, 'consoleUrl' | 'metricsUrl'> {
  const { BRIDGE_URL, APPLY_URL, CONSOLE_URL, BRIDGE_METRICS_HOST: host } = environment;
  const { api, apply, console: operators, metrics } = servers;
  const local = (port: number) => `http://127.0.0.1:${port}`;
  return {
    bridgeUrl: BRIDGE_URL ?? local(api.port),
    applyUrl: APPLY_URL ?? local(apply.port),
    consoleUrl: operators && (CONSOLE_URL ?? local(operators.port)),
    metricsUrl: metrics && `http://${isIPv6(host) ? `[${host}]` : host}:${metrics.port}/metrics`,
  };
}

async function startBackground(
  { environment, options, adapters, operator, log, core }: Parts,
  urls: PublicUrls,
): Promise<{ context: BridgeContext; background: Background }> {
  const { db, keys, poolUse } = core;
  const { BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: isLoopbackAllowed, BRIDGE_WEBHOOK_RETRY_SCALE: retryScale } = environment;
  const clock = options.clock ?? (() => new Date());
  const sender = options.sender ?? createWebhookSender(clock, { isLoopbackAllowed });
  const metricsPage = createMetricsPage({
    db,
    clock,
    poolUse,
    filingDays: environment.BRIDGE_FILING_DAYS,
    countJobs: () => jobs.count(),
  });
  const links = createLinks(keys, urls.applyUrl);
  const registry = adapters.producerRegistry ?? createTableRegistry(db, keys);
  const { metrics } = metricsPage;
  const outbox = createOutboxWorker({ db, keys, links, registry, clock, log, sender, retryScale, metrics });
  const sweeper = createEndpointSweeper({ db, clock, log });
  const hasTestProcessor = adapters.paymentProcessor?.serves('test') !== true;
  const testProcessor = hasTestProcessor ? createTestProcessor({ db, links }) : undefined;
  // The workers use the context, and the context wakes them: no job is scheduled before both exist.
  const workers: Pick<BridgeContext, 'schedule' | 'wakeOutbox' | 'wakeBulk'> = {
    schedule: (...job) => jobs.schedule(...job),
    wakeOutbox: outbox.wake,
    wakeBulk: () => bulk.wake(),
  };
  const context = await createContext({
    environment,
    adapters,
    core,
    urls,
    registry,
    links,
    clock,
    log,
    testProcessor,
    workers,
  });
  if (context.documents.scanner === undefined) {
    log.warn('No document scanner is set. Documents that users upload are not scanned for malware.');
  }
  const jobs = await startJobs(core.jobs, jobsOf(context, operator), log);
  const bulk = createBulkWorker(context);
  outbox.start();
  sweeper.start();
  bulk.start();
  const updateReports = startUpdateReports(context);
  return { context, background: { updateReports, sender, outbox, sweeper, bulk, jobs, metricsPage, testProcessor } };
}

function jobsOf(context: BridgeContext, operator: Operator): JobWork {
  return {
    handlers: {
      department: (job) => decideSimulated(context, job),
      filing: (job) => runFilingJob(context, job),
      payment: (job) => runPaymentJob(context, job),
      mail: (job) => runMailJob({ context, operator }, job),
    },
    periodic: {
      'clean-up': (signal) => cleanUp(context, signal),
      'audit-chain': (signal) => linkAudit(context, signal),
    },
  };
}

interface Serving {
  urls: ReturnType<typeof urlsOf>;
  context: BridgeContext;
  background: Background;
  identityProvider: IdentityProvider | undefined;
  isStopping: () => boolean;
}

function serveApps({ environment, options, operator, log, core, servers }: Parts, serving: Serving): void {
  const { urls, context, background, identityProvider, isStopping } = serving;
  const { metricsPage, testProcessor } = background;
  const { BRIDGE_TRUSTED_PROXIES: publicProxies, CONSOLE_TRUSTED_PROXIES: consoleProxies } = environment;
  const assets = options.assets ?? loadApplyAssets();
  const observed = (appName: string, trustedProxies: number) => ({
    appName,
    log,
    metrics: metricsPage.metrics,
    trustedProxies,
  });
  const isReady = createReadiness(core.db, isStopping);
  servers.api.serve(observe(createApi(context, { isReady }), observed('api', publicProxies)));
  servers.apply.serve(
    observe(createApplyApp(context, { assets, testProcessor, operator }), observed('apply', publicProxies)),
  );
  const { consoleUrl } = urls;
  if (consoleUrl !== undefined) {
    servers.console?.serve(
      observe(createConsoleApp(context, { assets, consoleUrl, identityProvider }), observed('console', consoleProxies)),
    );
  }
  servers.metrics?.serve(metricsPage.serve);
}

function createReadiness(db: Database, isStopping: () => boolean): () => Promise<boolean> {
  let hasMigrated = false;
  return async () => {
    if (isStopping()) return false;
    try {
      if (!(await succeedsInTime(assertWritable(db), readyDeadlineMs))) return false;
      // Migrations are never undone, so one successful check is enough.
      hasMigrated ||= (await findPending(db)).length === 0;
      return hasMigrated;
    } catch {
      return false;
    }
  };
}

async function stopService({ environment, log, core, servers }: Parts, background: Background): Promise<void> {
  const { updateReports, sender, outbox, sweeper, bulk, jobs, metricsPage } = background;
  const { BRIDGE_STOP_DELAY: stopDelay } = environment;
  log.info('The bridge is stopping.');
  const { metrics, ...apps } = servers;
  const open = Object.values(apps).filter((server) => server !== undefined);
  for (const server of open) server.drain();
  // A load balancer sends requests to this instance until it has polled /readyz.
  if (stopDelay > 0) await setTimeout(stopDelay * 1_000);
  await updateReports.stop();
  const workers = [outbox.stop(deliveryDeadlineMs), sweeper.stop(), bulk.stop()];
  await Promise.all(open.map((server) => server.close(requestDeadlineMs)));
  // After the last request, which may have scheduled a job.
  await Promise.all([...workers, jobs.stop()]);
  await sender.close();
  metricsPage.stop();
  await metrics?.close(0);
  await core.close();
  log.info('The bridge has stopped.');
}
