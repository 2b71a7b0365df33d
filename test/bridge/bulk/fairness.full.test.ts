import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { npnsFrom, startBulk } from './bulk-job.js';
import { registryUpTo } from './numbered-registry.js';

/**
 * The owners of finished batches, in order. Each owner of a test has a separate range of a million
 * NPNs.
 */
let order: number[] = [];
let claimed = () => {};
let gate: Promise<void> = Promise.resolve();
let bridge: TestBridge;
before(async () => {
  const { findKnown, ...others } = registryUpTo(1_000_000_000);
  const watched: typeof findKnown = async (mode, npns) => {
    order.push(Math.floor(Number(npns[0]) / 1_000_000));
    claimed();
    await gate;
    return findKnown(mode, npns);
  };
  bridge = await startBridge({
    producerRegistry: { ...others, findKnown: watched },
    environment: { BRIDGE_RATE_LIMIT: '100000' },
  });
});
after(() => bridge.stop());

/**
 * Starts jobs, given as [owner, NPNs], while the first batch of the first job is held, then
 * releases it.
 */
async function orderOf(tokens: Record<number, string>, jobs: [owner: number, count: number][]): Promise<number[]> {
  order = [];
  const firstClaim = new Promise<void>((resolve) => (claimed = resolve));
  let open = () => {};
  gate = new Promise((resolve) => (open = resolve));
  const started = [];
  for (const [owner, count] of jobs) {
    const job = await startBulk(bridge, npnsFrom(owner * 1_000_000 + started.length * 10_000, count), {
      token: tokens[owner] ?? '',
      onboardType: 'lookup',
    });
    started.push(job);
    // The first one is claimed before the others exist.
    await firstClaim;
  }
  open();
  await Promise.all(started.map((job) => job.finished()));
  return order;
}

test("An agency with ten large jobs does not hold up another agency's small job.", async () => {
  const [big, small] = [await bridge.addAgency(), await bridge.addAgency()];
  const jobs: [number, number][] = Array.from({ length: 10 }, () => [1, 10_000]);
  const seen = await orderOf({ 1: big.tokens.test, 2: small.tokens.test }, [...jobs, [2, 10]]);
  assert.equal(seen.length, 101);
  assert.equal(seen.indexOf(2), 1, 'right after the current batch');
});

test('Agencies, and the two modes of one agency, take turns batch by batch.', async () => {
  const [first, second] = [await bridge.addAgency(), await bridge.addAgency()];
  const tokens = { 1: first.tokens.test, 2: second.tokens.test, 3: first.tokens.live };
  const seen = await orderOf(tokens, [
    [1, 4_000],
    [1, 2_000],
    [2, 3_000],
    [3, 3_000],
  ]);
  const turns = [1, 2, 3].map((place) => seen[place]);
  assert.deepEqual(turns.toSorted(), [1, 2, 3]);
  assert.deepEqual(seen.slice(4, 7), turns);
  assert.deepEqual(seen.slice(7, 10).toSorted(), [1, 2, 3]);
  assert.deepEqual(seen.slice(10), [1, 1]);
});

test('The agency that was served longest ago comes first.', async () => {
  const [first, second] = [await bridge.addAgency(), await bridge.addAgency()];
  const tokens = { 1: first.tokens.test, 2: second.tokens.test };
  await orderOf(tokens, [[2, 10]]);
  assert.deepEqual(
    await orderOf(tokens, [
      [1, 3_000],
      [2, 10],
    ]),
    [1, 2, 1, 1],
  );
});
