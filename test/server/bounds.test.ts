import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { coalesceByKey } from '../../src/server/applications/coalesce.js';
import { createTeller } from '../../src/server/applications/teller.js';
import { createCounts } from '../../src/server/counts.js';
import { memoryStore } from '../../src/server/index.js';
import { createSubscribers } from '../../src/server/store/subscribers.js';
import { createCapabilities } from '../../src/server/webhooks/capability.js';
import { manualClock } from './support/manual-clock.js';
import { secret } from './support/partner.js';
import { link } from './support/stored.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const many = 10_000;
/** Long enough that those of all are three times what the heap grows and shrinks by itself. */
const idOf = (number: number) => String(number).padStart(1_000, '0');
const allowedBytes = 3 * 1024 * 1024;

/** What each handler keeps for applications, users and webhooks, by what happens for each of them. */
const keepers: Record<string, () => (number: number) => unknown> = {
  'the memory store, of applications that it forgot'() {
    const store = memoryStore({ maxApplications: 10 });
    return (number) => {
      const [applicationId, reference] = [idOf(number), `reference-${idOf(number)}`];
      return store.saveLink({ ...link(1), applicationId, reference, userId: `user-${idOf(number)}` });
    };
  },
  'how many webhooks and streams are under way'() {
    const counts = createCounts();
    return (number) => {
      counts.add(idOf(number))();
    };
  },
  'whose listeners were told'() {
    const [store, clock] = [memoryStore(), manualClock()];
    const teller = createTeller({ listeners: {}, store, clock, log: () => undefined });
    return (number) => teller.tell(idOf(number));
  },
};

suite('what a handler remembers does not grow without end', () => {
  for (const [what, make] of Object.entries(keepers)) {
    test(what, async (t) => {
      const happen = make();
      let number = 0;
      async function sizeAfter(times: number): Promise<number> {
        for (const end = number + times; number < end; number += 1) await happen(number);
        collectGarbage();
        return process.memoryUsage().heapUsed;
      }
      const full = await sizeAfter(many);
      const later = await sizeAfter(many);
      t.diagnostic(`${String(Math.round((later - full) / 1024))} KiB`);
      assert.ok(later - full < allowedBytes, `${String(later - full)} bytes more`);
      // So that it is there to be measured.
      await happen(0);
    });
  }
});

suite('what is remembered to save work is forgotten when there is too much of it', () => {
  test('that the address of a webhook is good: it is computed again', async () => {
    const capabilities = createCapabilities([secret]);
    const now = Date.now();
    const { reference, token } = await capabilities.issue(now);
    for (let number = 1; number < many; number += 1) await capabilities.issue(now);
    assert.equal(capabilities.verify(token, now), reference);
    await capabilities.issue(now);
    const again = capabilities.verify(token, now);
    assert.ok(again instanceof Promise);
    assert.equal(await again, reference);
  });

  test('when an application was read', async () => {
    const clock = manualClock();
    const readings = coalesceByKey<undefined>(clock, { pauseMs: 1, maxInARow: 5 });
    const read = (number: number) => readings.run(String(number), () => Promise.resolve(undefined));
    for (let number = 0; number < many; number += 1) await read(number);
    assert.equal(readings.lastSuccessAt('0'), clock.now());
    await read(many);
    assert.equal(readings.lastSuccessAt('0'), 0);
  });
});

suite('those who follow an application', () => {
  test('are gone when they left', () => {
    const subscribers = createSubscribers();
    const leaving = [1, 2].map(() => subscribers.add('app_1', () => undefined));
    leaving[0]?.();
    assert.equal(subscribers.has('app_1'), true);
    leaving[1]?.();
    assert.deepEqual([subscribers.has('app_1'), subscribers.has()], [false, false]);
  });

  test('are not taken out by somebody before them who leaves twice', () => {
    const subscribers = createSubscribers();
    let heard = 0;
    const leave = subscribers.add('app_1', () => undefined);
    leave();
    subscribers.add('app_1', () => (heard += 1));
    leave();
    subscribers.tell('app_1');
    assert.equal(heard, 1);
  });
});
