import { Gauge, type Registry } from 'prom-client';
import { packageVersion } from '../own-package.js';

/** How this process is doing. */
export interface ProcessGauges {
  stop(): void;
}

const intervalMs = 500;
/** The lag that is shown is the worst of the last ten seconds: a scrape would miss most of a moment's lag. */
const keptSamples = 20;

/** Adds the gauges of this process to a registry, and watches the event loop until it is stopped. */
export function addProcessGauges(registry: Registry): ProcessGauges {
  const registers = [registry];
  const startedAt = Date.now() / 1_000 - process.uptime();
  const gauges: [name: string, help: string, read: () => number][] = [
    ['process_start_time_seconds', 'When the process started.', () => startedAt],
    ['process_cpu_seconds_total', 'Processor time used.', () => cpuSeconds()],
    ['process_resident_memory_bytes', 'Memory in use.', () => process.memoryUsage.rss()],
    ['nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed],
  ];
  for (const [name, help, read] of gauges) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }
  const build = { version: packageVersion(), node: process.version };
  new Gauge({
    name: 'bridge_build_info',
    help: 'Always 1; its labels say what is running.',
    labelNames: Object.keys(build),
    registers,
  }).set(build, 1);
  return watchEventLoop(registry);
}

/** By the drift of an interval: `monitorEventLoopDelay` was measured to miss a loop that is blocked for half a second. */
function watchEventLoop(registry: Registry): ProcessGauges {
  const lags: number[] = [];
  let expectedAt = performance.now() + intervalMs;
  const timer = setInterval(() => {
    const now = performance.now();
    lags.push(Math.max(0, now - expectedAt));
    if (lags.length > keptSamples) lags.shift();
    expectedAt = now + intervalMs;
  }, intervalMs);
  timer.unref();
  new Gauge({
    name: 'bridge_event_loop_lag_seconds',
    help: 'The longest that the event loop was late in the last ten seconds.',
    registers: [registry],
    collect() {
      this.set(Math.max(0, ...lags) / 1_000);
    },
  });
  return {
    stop() {
      clearInterval(timer);
    },
  };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
