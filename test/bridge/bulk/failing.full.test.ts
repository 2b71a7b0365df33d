import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { npnsFrom, rowsOf, startBulk } from './bulk-job.js';
import { registryUpTo } from './numbered-registry.js';

/** The times of the tries of the batch that starts with an NPN. */
const tries = new Map<string, number[]>();
let failures = 0;
let bridge: TestBridge;
before(async () => {
  const { findKnown, ...others } = registryUpTo(1_000_000);
  const failing: typeof findKnown = (mode, npns) => {
    const first = npns[0] ?? '';
    const times = [...(tries.get(first) ?? []), Date.now()];
    tries.set(first, times);
    if (times.length > failures) return findKnown(mode, npns);
    return Promise.reject(new Error('The registry is away.'));
  };
  bridge = await startBridge({
    producerRegistry: { ...others, findKnown: failing },
    environment: { BRIDGE_RATE_LIMIT: '100000' },
  });
});
after(() => bridge.stop());

test('Failing batches are tried again with growing pauses, and nothing is lost or doubled.', async () => {
  failures = 2;
  const job = await startBulk(bridge, [...npnsFrom(1, 2_100), 1_000_001]);
  const { successCount, failureCount } = await job.finished();
  assert.deepEqual([successCount, failureCount], [2_100, 1]);
  assert.deepEqual(await rowsOf(bridge, 'subscription'), npnsFrom(1, 2_100));
  for (const first of ['1', '1001', '2001']) {
    const [one = 0, two = 0, three = 0, ...more] = tries.get(first) ?? [];
    assert.deepEqual(more, []);
    assert.ok(two - one >= 1_000, `${two - one} ms until the first retry`);
    assert.ok(three - two >= 2_000, `${three - two} ms until the second retry`);
  }
  const lines = bridge.logged.filter((line) => line.includes('A batch of a bulk onboarding failed'));
  assert.equal(lines.length, 6);
  assert.match(lines[0] ?? '', /The registry is away/);
});

test('A job whose batches wait for their next try holds up no other job.', async () => {
  failures = 1;
  const waiting = await startBulk(bridge, npnsFrom(3_000, 500));
  failures = 0;
  const other = await bridge.addAgency();
  const quick = await startBulk(bridge, npnsFrom(1, 10), { token: other.tokens.test });
  assert.equal((await quick.finished()).successCount, 10);
  assert.equal((await waiting.finished()).successCount, 500);
});
