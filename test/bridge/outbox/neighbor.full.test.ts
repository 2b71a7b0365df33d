import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createWebhookSender } from '../../../src/bridge/outbox/webhook-sender.js';
import { enqueueEvent } from '../../../src/bridge/domain/events.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { changeApplication, createApplication } from '../applications.js';
import { startReceiver } from '../receiver.js';

let bridge: TestBridge;
before(async () => {
  const clock = () => new Date();
  bridge = await startBridge({
    clock,
    sender: createWebhookSender(clock, { isLoopbackAllowed: true, timeoutMs: 15_000 }),
  });
});
after(() => bridge.stop());

const emit = (id: string) =>
  changeApplication(bridge, id, (trx, application) =>
    enqueueEvent(trx, application, 'application.session_started', {}, new Date()),
  );

test('An agency whose receiver hangs, in any number of applications, does not hold up another.', async (t) => {
  const [hanging, prompt] = [await startReceiver(), await startReceiver()];
  t.after(() => Promise.all([hanging.close(), prompt.close()]));
  hanging.answers.push(() => undefined);
  // Each session can have a different URL.
  const addresses = Array.from({ length: 40 }, (_, index) => `${hanging.url}/${String(index)}`);
  await Promise.all(addresses.map(async (webhookUrl) => emit(await createApplication(bridge, { webhookUrl }))));
  const other = await bridge.addAgency();
  await hanging.arrival(8);
  await emit(await createApplication(bridge, { token: other.tokens.test, webhookUrl: prompt.url }));
  await prompt.arrival(1);
  await assertNoTimeout();
});

test('A dozen agencies whose receivers hang do not hold up another.', async (t) => {
  const [hanging, prompt] = [await startReceiver(), await startReceiver()];
  t.after(() => Promise.all([hanging.close(), prompt.close()]));
  hanging.answers.push(() => undefined);
  for (let count = 0; count < 12; count += 1) {
    const { tokens } = await bridge.addAgency();
    const addresses = Array.from({ length: 32 }, (_, index) => `${hanging.url}/${String(index)}`);
    await Promise.all(
      addresses.map(async (webhookUrl) => emit(await createApplication(bridge, { token: tokens.test, webhookUrl }))),
    );
  }
  const other = await bridge.addAgency();
  const ids = await Promise.all(
    Array.from({ length: 5 }, () => createApplication(bridge, { token: other.tokens.test, webhookUrl: prompt.url })),
  );
  await Promise.all(ids.map(emit));
  await prompt.arrival(5);
  await assertNoTimeout();
});

/** No delivery to a receiver that hangs had to time out before the others were sent. */
async function assertNoTimeout(): Promise<void> {
  const timeouts = bridge.context.db.selectFrom('webhook_attempt').select('error').where('error', '=', 'timeout');
  assert.deepEqual(await timeouts.execute(), []);
}
