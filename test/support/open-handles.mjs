/**
 * Loaded before each test file: ends a process that something keeps alive after its last test, such
 * as a timer or a server that was not stopped. Without it, the file would hang instead of fail.
 */
import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';

/** The hooks of the file start at the same time and stop bridges, browsers and databases. */
const graceMs = 60_000;

// The runner itself and the worker threads of a file load this module, too, and have no tests.
if (process.env.NODE_TEST_CONTEXT !== undefined && isMainThread) {
  after(() => {
    const timer = setTimeout(() => {
      console.error(
        `The tests have ended, but the process stays alive: ${process.getActiveResourcesInfo().join(', ')}.`,
      );
      process.exit(1);
    }, graceMs);
    timer.unref();
  });
}
