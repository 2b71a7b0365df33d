/**
 * Imported into the process of a bridge under attack. On SIGUSR2 it prints the longest delay of the
 * event loop since the last time, in milliseconds.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const histogram = monitorEventLoopDelay({ resolution: 5 });
histogram.enable();
process.on('SIGUSR2', () => {
  process.stderr.write(`event loop: ${(histogram.max / 1e6).toFixed(0)} ms\n`);
  histogram.reset();
});
