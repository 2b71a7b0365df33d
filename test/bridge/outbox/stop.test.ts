import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '../../../src/bridge/log.js';
import type { Courier, DeliveryResult } from '../../../src/bridge/outbox/deliver.js';
import { createOutboxWorker } from '../../../src/bridge/outbox/worker.js';
import { startBridge } from '../../support/bridge.js';
import { createApplication, submitApplication } from '../applications.js';

/** Sends nothing: a delivery is under way until it is broken off or let go. */
function hangingCourier() {
  let sending = () => {};
  const isSending = new Promise<void>((resolve) => (sending = resolve));
  let letGo = () => {};
  const courier: Courier = {
    deliver: (_delivery, signal) =>
      new Promise<DeliveryResult>((resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('broken off'));
        });
        letGo = () => {
          resolve({ status: 200, error: null, retryAfterSeconds: undefined, durationMs: 0 });
        };
        sending();
      }),
    close: () => Promise.resolve(),
  };
  return { courier, isSending, letGo: () => letGo() };
}

test('a delivery that takes longer than the stop may is given back, for another instance to try at once', async (t) => {
  const [first, second] = [hangingCourier(), hangingCourier()];
  const bridge = await startBridge({ courier: first.courier });
  t.after(async () => {
    first.letGo();
    await bridge.stop();
  });
  const { db, links } = bridge.context;
  const id = await createApplication(bridge, { webhookUrl: 'http://127.0.0.1:9/hook' });
  await submitApplication(bridge, id, '0004');
  await first.isSending;
  // A minute later the lease of the bridge's own worker has run out.
  const outcomes: string[] = [];
  const worker = createOutboxWorker({
    db,
    links,
    clock: () => new Date(Date.now() + 60_000),
    log: createLogger('silent'),
    courier: second.courier,
    retryScale: 1,
    metrics: { countDelivery: (outcome) => void outcomes.push(outcome) },
  });
  worker.start();
  await second.isSending;
  await worker.stop(50);
  const line = await db.selectFrom('webhook_stream').select(['lease_until', 'attempts']).executeTakeFirstOrThrow();
  assert.deepEqual(line, { lease_until: null, attempts: 0 });
  assert.deepEqual(outcomes, ['released']);
});
