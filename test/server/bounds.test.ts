import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSingleFlight } from '../../src/server/scheduling.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('Readings and deliveries that have ended, and their queues, use no memory.', async () => {
  const flights = createSingleFlight(async () => undefined);
  /** The size of the heap after many runs, with long keys that outweigh its normal variation. */
  async function sizeAfter(first: number): Promise<number> {
    for (let number = first; number < first + 10_000; number += 1) {
      const key = String(number).padStart(1_000, '0');
      await Promise.all([flights.run(key), flights.run(key)]);
    }
    collectGarbage();
    return process.memoryUsage().heapUsed;
  }
  const before = await sizeAfter(0);
  const grown = (await sizeAfter(10_000)) - before;
  assert.ok(grown < 3 * 1024 * 1024, `${String(grown)} bytes more`);
  // Used again, so that it is not collected before the measurement.
  await flights.settled();
});
