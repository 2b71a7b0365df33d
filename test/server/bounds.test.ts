import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSingleFlight } from '../../src/server/scheduling.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('Readings and deliveries that have ended, and their queues, use no memory.', async () => {
  const flights = createSingleFlight(async () => ({}));
  const run = async () => new WeakRef(await flights.run('app_1'));
  const results = await Promise.all([run(), run()]);
  await flights.settled();
  // A WeakRef keeps its object until the current turn ends.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  for (const result of results) assert.equal(result.deref(), undefined);
  await flights.run('app_1');
});
