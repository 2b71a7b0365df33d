import { Gauge, Registry } from 'prom-client';
import type { FetchHandler } from '../http/connection.js';
import { assertWritable } from '../store/assert-writable.js';
import type { PoolUse } from '../store/database.js';
import { succeedsInTime } from '../store/succeeds-in-time.js';
import {
  addDatabaseGauges,
  addFilingTimeGauge,
  addPoolGauge,
  addProcessGauges,
  type DatabaseGaugesOptions,
} from './gauges.js';
import { createMetrics, type Metrics } from './metrics.js';

/** The metrics of one bridge, and the page on which Prometheus reads them. */
export interface MetricsPage {
  metrics: Metrics;
  /** Responds to `GET /metrics`. */
  serve: FetchHandler;
  stop(): void;
}

/** The sources of the page besides the counters. */
export interface MetricsPageOptions extends DatabaseGaugesOptions {
  poolUse: () => PoolUse;
  /** In how many days a filing is to be filed. */
  filingDays: number;
}

/**
 * Less than the scrape timeout of Prometheus, because the page must also respond when the database
 * does not.
 */
const databaseDeadlineMs = 2_000;

/** Creates the page. */
export function createMetricsPage(options: MetricsPageOptions): MetricsPage {
  const own = new Registry();
  const shared = new Registry();
  const metrics = createMetrics(own);
  const processGauges = addProcessGauges(own);
  addPoolGauge(own, options.poolUse);
  addFilingTimeGauge(own, options.filingDays);
  const isUp = new Gauge({
    name: 'bridge_database_up',
    help: 'Whether the database can be written.',
    registers: [own],
  });
  const readAnew = onceAtATime(addDatabaseGauges(shared, options));
  const checkWrites = onceAtATime(() => assertWritable(options.db));

  async function page(): Promise<string> {
    const [answers, isWritable] = await Promise.all(
      [readAnew(), checkWrites()].map((work) => succeedsInTime(work, databaseDeadlineMs)),
    );
    isUp.set(isWritable ? 1 : 0);
    // Without an answer the gauges of the database are omitted: old values would look like a
    // constant backlog.
    return `${await own.metrics()}${answers ? await shared.metrics() : ''}`;
  }

  return {
    metrics,
    async serve(request) {
      if (new URL(request.url).pathname !== '/metrics') return new Response('Not found', { status: 404 });
      if (request.method !== 'GET') return new Response('Expected GET', { status: 405, headers: { allow: 'GET' } });
      return new Response(await page(), { headers: { 'content-type': own.contentType, 'cache-control': 'no-store' } });
    },
    stop: () => {
      processGauges.stop();
    },
  };
}

/** Scrapes during a slow reading share it instead of adding load. */
function onceAtATime(read: () => Promise<void>): () => Promise<void> {
  let reading: Promise<void> | undefined;
  return () =>
    (reading ??= read().finally(() => {
      reading = undefined;
    }));
}
