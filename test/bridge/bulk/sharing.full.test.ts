import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBridge } from '../../support/bridge.js';
import { npnsFrom, rowsOf, startBulk } from './bulk-job.js';
import { sharedKey, startNeighbor } from './second-instance.js';
import { registryUpTo } from './numbered-registry.js';

/**
 * A registry of each of two instances: the first batch of either waits until the other has one too.
 */
function registriesThatMeet() {
  const batches = [0, 0];
  const arrived = [() => {}, () => {}];
  const arrivals = arrived.map((_, who) => new Promise<void>((resolve) => (arrived[who] = resolve)));
  const registries = [0, 1].map((who) => {
    const { findKnown, ...others } = registryUpTo(1_000_000);
    const met: typeof findKnown = async (mode, npns) => {
      batches[who] = (batches[who] ?? 0) + 1;
      arrived[who]?.();
      await Promise.all(arrivals);
      return findKnown(mode, npns);
    };
    return { ...others, findKnown: met };
  });
  return { registries, batches };
}

test('Two instances work on one job at the same time, and no batch is done twice.', async (t) => {
  const { registries, batches } = registriesThatMeet();
  const [first, second] = registries;
  const bridge = await startBridge({
    producerRegistry: first!,
    environment: { BRIDGE_RATE_LIMIT: '100000', BRIDGE_SECRET_KEY: sharedKey },
  });
  const neighbor = await startNeighbor(bridge.databaseUrl, second!);
  t.after(async () => {
    await neighbor.stop();
    await bridge.stop();
  });
  const job = await startBulk(bridge, npnsFrom(1, 10_000));
  const { successCount } = await job.finished();
  assert.equal(successCount, 10_000);
  assert.equal(batches[0]! + batches[1]!, 10);
  assert.deepEqual(await rowsOf(bridge, 'subscription'), npnsFrom(1, 10_000));
  const { details, totalCount } = await job.details(200);
  assert.deepEqual([details.length, details.at(-1)?.biographic.npn, totalCount], [50, '10000', 10_000]);
});

test('Overlapping jobs of one agency do not block each other.', async (t) => {
  const registry = registryUpTo(1_000_000);
  const bridge = await startBridge({
    producerRegistry: registry,
    environment: { BRIDGE_RATE_LIMIT: '100000', BRIDGE_SECRET_KEY: sharedKey },
  });
  const neighbor = await startNeighbor(bridge.databaseUrl, registry);
  t.after(async () => {
    await neighbor.stop();
    await bridge.stop();
  });
  const npns = npnsFrom(1, 6_000);
  const jobs = await Promise.all(
    [npns, npns.toReversed(), npns, npns.toReversed()].map((some) => startBulk(bridge, some)),
  );
  const counts = await Promise.all(jobs.map(async (job) => (await job.finished()).successCount));
  assert.deepEqual(counts, [6_000, 6_000, 6_000, 6_000]);
  assert.deepEqual(await rowsOf(bridge, 'subscription'), npns);
  assert.equal(bridge.logged.filter((line) => line.includes('A batch of a bulk onboarding failed')).length, 0);
});
