import { sql } from 'kysely';
import type { Logger } from 'pino';
import { createApplyApp, createTestProcessor, loadApplyAssets, type ApplyAssets } from './apply/index.js';
import { createBulkWorker } from './bulk/worker.js';
import { openCore, type BridgeCore } from './core.js';
import { cleanUp } from './domain/clean-up.js';
import type { BridgeContext } from './domain/context.js';
import { decideSimulated } from './domain/departments.js';
import { createLinks } from './domain/links.js';
import type { PaymentProcessor } from './domain/payment-processor.js';
import type { Environment } from './environment.js';
import { createApi } from './http/api.js';
import { observe } from './http/observe.js';
import { listen, type HttpServer } from './http/server.js';
import { startJobs, type Jobs } from './jobs.js';
import { createLogger } from './log.js';
import { createCourier, type Courier } from './outbox/deliver.js';
import { createOutboxWorker } from './outbox/worker.js';
import type { ProducerRegistry } from './registry/producer-registry.js';
import { createTableRegistry } from './registry/table-registry.js';
import { isMigrated } from './store/migrate.js';

/** What can be put in place of the default. */
export interface StartOptions {
  /** Default: JSON lines on standard output, from `LOG_LEVEL` up. */
  log?: Logger;
  /** Default: `new Date()`. */
  clock?: () => Date;
  /** The script and style sheet of the hosted application. Default: those of the build. */
  assets?: ApplyAssets;
  /** Default: test cards in test mode, nothing in live mode. */
  processor?: PaymentProcessor;
  /** What sends webhooks. */
  courier?: Courier;
  /** What is known of producers. Default: the tables of the bridge's own database. */
  registry?: ProducerRegistry;
}

/** A bridge that runs. */
export interface RunningBridge {
  /** The public address of the API. */
  bridgeUrl: string;
  /** The public origin of the hosted application. */
  applyUrl: string;
  context: BridgeContext;
  /** Stops gracefully. A second call waits for the first. */
  stop(): Promise<void>;
}

/** How long requests under way may take once the bridge is to stop. */
const requestDeadlineMs = 10_000;
/** A little more than a delivery may take. */
const deliveryDeadlineMs = 11_000;

/** Starts the whole service: API, hosted application, webhooks and jobs. */
export async function startBridge(environment: Environment, options: StartOptions = {}): Promise<RunningBridge> {
  const log = options.log ?? createLogger(environment.LOG_LEVEL);
  // What has been opened, in the order in which it is closed when a later step fails.
  const opened: (() => Promise<void>)[] = [];
  try {
    // The ports first: that one is taken should not cost the time that a database takes to start.
    const api = await listen({ host: environment.BRIDGE_HOST, port: environment.BRIDGE_PORT, variable: 'BRIDGE_PORT' });
    opened.unshift(() => api.close(0));
    const apply = await listen({ host: environment.BRIDGE_HOST, port: environment.APPLY_PORT, variable: 'APPLY_PORT' });
    opened.unshift(() => apply.close(0));
    const core = await openCore(environment, log);
    opened.push(() => core.close());
    const service = await startService({ environment, options, log, core, api, apply });
    log.info({ api: service.bridgeUrl, apply: service.applyUrl }, 'The bridge is serving.');
    return service;
  } catch (error) {
    for (const close of opened) await close();
    throw error;
  }
}

interface Parts {
  environment: Environment;
  options: StartOptions;
  log: Logger;
  core: BridgeCore;
  api: HttpServer;
  apply: HttpServer;
}

async function startService({ environment, options, log, core, api, apply }: Parts): Promise<RunningBridge> {
  const clock = options.clock ?? (() => new Date());
  const bridgeUrl = environment.BRIDGE_URL ?? `http://127.0.0.1:${String(api.port)}`;
  const applyUrl = environment.APPLY_URL ?? `http://127.0.0.1:${String(apply.port)}`;
  const { db, keys, databaseUrl } = core;
  const links = createLinks(keys, applyUrl);
  const assets = options.assets ?? loadApplyAssets();
  const courier = options.courier ?? createCourier(clock);
  const retryScale = environment.BRIDGE_WEBHOOK_RETRY_SCALE;
  const outbox = createOutboxWorker({ db, links, clock, log, courier, retryScale });

  // The workers work with the context and the context wakes them: nothing is planned before both are there.
  const context: BridgeContext = {
    db,
    keys,
    links,
    registry: options.registry ?? createTableRegistry(db, keys),
    clock,
    log,
    sessionTtlSeconds: environment.BRIDGE_SESSION_TTL,
    tokenTtlSeconds: environment.BRIDGE_TOKEN_TTL,
    bridgeUrl,
    applyUrl,
    wakeOutbox: outbox.wake,
    schedule: (trx, job, afterSeconds) => jobs.schedule(trx, job, afterSeconds),
    wakeBulk: () => bulk.wake(),
  };
  const jobs: Jobs = await startJobs(
    databaseUrl,
    { department: (job) => decideSimulated(context, job), cleanUp: () => cleanUp(context) },
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
      // Migrations are never undone while we run: once is enough.
      hasMigrated ||= await isMigrated(db);
      return hasMigrated;
    } catch {
      return false;
    }
  };

  const { BRIDGE_RATE_LIMIT: rateLimitPerMinute, BRIDGE_TRUSTED_PROXIES: trustedProxies } = environment;
  api.serve(observe(createApi(context, { rateLimitPerMinute, trustedProxies, isReady }), 'api', log, clock));
  const processor = options.processor ?? createTestProcessor();
  apply.serve(observe(createApplyApp(context, { assets, processor }), 'apply', log, clock));

  const stop = async () => {
    log.info('The bridge is stopping.');
    await Promise.all([
      api.close(requestDeadlineMs),
      apply.close(requestDeadlineMs),
      outbox.stop(deliveryDeadlineMs),
      bulk.stop(),
      jobs.stop(),
    ]);
    await courier.close();
    await core.close();
    log.info('The bridge has stopped.');
  };
  return { bridgeUrl, applyUrl, context, stop: () => (stopping ??= stop()) };
}
