import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSerialize, createSingleFlight } from '../../src/server/scheduling.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const many = 10_000;
/** Long enough that all ids are three times the normal variation of the heap. */
const idOf = (number: number) => String(number).padStart(1_000, '0');
const allowedBytes = 3 * 1024 * 1024;

/** The state of an instance by user or application during a request. */
const keepers: Record<string, () => (number: number) => unknown> = {
  'Readings and deliveries that have ended': () => {
    const flights = createSingleFlight(async () => undefined);
    return (number) => Promise.all([flights.run(idOf(number)), flights.run(idOf(number))]);
  },
  'The queues of users': () => {
    const serialize = createSerialize();
    return (number) => serialize(idOf(number), async () => undefined);
  },
};

suite('The memory of an instance does not grow with its users and applications', () => {
  for (const [what, create] of Object.entries(keepers)) {
    test(`${what} use no memory.`, async (t) => {
      const happen = create();
      let number = 0;
      async function sizeAfter(times: number): Promise<number> {
        for (const end = number + times; number < end; number += 1) await happen(number);
        collectGarbage();
        return process.memoryUsage().heapUsed;
      }
      const first = await sizeAfter(many);
      const later = await sizeAfter(many);
      t.diagnostic(`${String(Math.round((later - first) / 1024))} KiB`);
      assert.ok(later - first < allowedBytes, `${String(later - first)} bytes more`);
      // Used again, so that it is not collected before the measurement.
      await happen(0);
    });
  }
});
