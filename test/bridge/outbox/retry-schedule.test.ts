import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextRetryMs, retryDelaysSeconds } from '../../../src/bridge/outbox/retry-schedule.js';

const hour = 3_600;

test('The delays are those that Standard Webhooks recommends.', () => {
  assert.deepEqual(retryDelaysSeconds, [5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]);
});

test('Each delay varies by a fifth in both directions and follows the scale.', () => {
  const delays = (random: number, scale: number) =>
    retryDelaysSeconds.map((_, index) =>
      nextRetryMs({ attempts: index + 1, retryAfterSeconds: undefined, scale, random: () => random }),
    );
  assert.deepEqual(
    delays(0, 1),
    retryDelaysSeconds.map((seconds) => seconds * 800),
  );
  assert.deepEqual(
    delays(1, 1),
    retryDelaysSeconds.map((seconds) => seconds * 1_200),
  );
  assert.deepEqual(
    delays(0.5, 0.001),
    retryDelaysSeconds.map((seconds) => seconds),
  );
});

test('After the ninth retry there is no other.', () => {
  assert.equal(nextRetryMs({ attempts: 10, retryAfterSeconds: 1, scale: 1, random: () => 0 }), undefined);
});

test('Retry-After delays a try by an hour at most, and never brings it forward.', () => {
  const next = (retryAfterSeconds: number) =>
    nextRetryMs({ attempts: 1, retryAfterSeconds, scale: 1, random: () => 0.5 });
  assert.equal(next(60), 60_000);
  assert.equal(next(3_600), 3_600_000);
  assert.equal(next(3_601), 3_600_000);
  assert.equal(next(1), 5_000);
});
