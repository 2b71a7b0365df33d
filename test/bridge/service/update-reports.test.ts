import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '../../../src/bridge/config/log.js';
import type { BridgeContext } from '../../../src/bridge/domain/context.js';
import { startUpdateReports } from '../../../src/bridge/service/update-reports.js';
import { deferred } from '../../support/deferred.js';

/** A bridge whose registry starts its reports by `watch`. */
function stage(watch: () => Promise<() => Promise<void>>) {
  const logged: string[] = [];
  const log = createLogger('error', { write: (line) => void logged.push(line) });
  const reports = startUpdateReports({ registry: { watchUpdates: watch }, log } as unknown as BridgeContext, 1);
  return { logged, reports };
}

test('A registry that is down when the bridge starts is asked again until its reports start, and each failure is logged.', async () => {
  const started = deferred();
  let ended = 0;
  let asked = 0;
  const { logged, reports } = stage(() => {
    asked += 1;
    if (asked < 3) return Promise.reject(new Error('down'));
    started.resolve();
    return Promise.resolve(() => Promise.resolve(void (ended += 1)));
  });
  await started.promise;
  await reports.stop();
  assert.deepEqual([asked, ended, logged.length], [3, 1, 2]);
});

test('A bridge that stops does not wait for a registry that is starting its reports, and ends them when they have started.', async () => {
  const starting = deferred<() => Promise<void>>();
  const ended = deferred();
  const { reports } = stage(() => starting.promise);
  await reports.stop();
  starting.resolve(() => Promise.resolve(ended.resolve()));
  await ended.promise;
});

test('A bridge that stops asks a registry that is down no more.', async () => {
  const asked = deferred();
  let count = 0;
  const { reports } = stage(() => {
    count += 1;
    asked.resolve();
    return Promise.reject(new Error('down'));
  });
  await asked.promise;
  await reports.stop();
  const before = count;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(count, before);
});

test('An error of a registry that cannot end its reports does not stop the stop, and is not quoted.', async () => {
  const { logged, reports } = stage(() => Promise.resolve(() => Promise.reject(new Error('Ana Rivera'))));
  await new Promise(setImmediate);
  await reports.stop();
  assert.match(logged.join('\n'), /could not end its reports/);
  assert.doesNotMatch(logged.join('\n'), /Rivera/);
});
