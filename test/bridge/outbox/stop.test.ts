import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '../../../src/bridge/log.js';
import type { SendResult, WebhookSender } from '../../../src/bridge/outbox/webhook-sender.js';
import { createOutboxWorker } from '../../../src/bridge/outbox/worker.js';
import { startBridge } from '../../support/bridge.js';
import { createApplication, submitApplication } from '../applications.js';

/** Sends nothing: a delivery continues until it is aborted or released. */
function hangingSender() {
  let sending = () => {};
  const isSending = new Promise<void>((resolve) => (sending = resolve));
  let letGo = () => {};
  const sender: WebhookSender = {
    send: (_webhook, signal) =>
      new Promise<SendResult>((resolve, reject) => {
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
  return { sender, isSending, letGo: () => letGo() };
}

test('A delivery that takes longer than the stop allows is released, for another instance to try at once.', async (t) => {
  const [first, second] = [hangingSender(), hangingSender()];
  let offsetMs = 0;
  const bridge = await startBridge({ sender: first.sender, clock: () => new Date(Date.now() + offsetMs) });
  t.after(async () => {
    first.letGo();
    await bridge.stop();
  });
  const { db, keys, links } = bridge.context;
  const id = await createApplication(bridge, { webhookUrl: 'http://127.0.0.1:9/hook' });
  await submitApplication(bridge, id, '0004');
  await first.isSending;
  // The lease of the bridge's worker has expired, and nothing was due an hour ago, so it does not
  // claim the event again.
  offsetMs = -3_600_000;
  await db
    .updateTable('webhook_stream')
    .set({ lease_until: new Date(Date.now() - 1_000) })
    .execute();
  const outcomes: string[] = [];
  const worker = createOutboxWorker({
    db,
    keys,
    links,
    clock: () => new Date(),
    log: createLogger('silent'),
    sender: second.sender,
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
