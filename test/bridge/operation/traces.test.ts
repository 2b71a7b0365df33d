import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { createApplication, submitApplication } from '../applications.js';
import { startReceiver, type Receiver } from '../receiver.js';
import { until } from '../until.js';

let bridge: TestBridge;
let receiver: Receiver;
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_WEBHOOK_RETRY_SCALE: '0.000001' } });
});
after(() => bridge.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const valid = `00-${traceId}-00f067aa0ba902b7-01`;
const shape = /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** The messages of the log lines of a trace. */
const linesOf = (id: string) =>
  bridge.logged
    .map((line) => JSON.parse(line) as { traceId?: string; msg: string })
    .filter((line) => line.traceId === id)
    .map(({ msg }) => msg);

/**
 * Has a department decide by a call with a `traceparent`. Resolves with the `traceparent` headers
 * of all tries of the resulting webhooks.
 */
async function decide(traceparent: string | undefined, tries = 1): Promise<string[]> {
  const id = await createApplication(bridge, { webhookUrl: receiver.url });
  await submitApplication(bridge, id, '0004');
  await receiver.arrival(1);
  const answer = await bridge.call('POST', `/v1/test_helpers/applications/${id}/states/TX`, {
    body: { status: 'denied' },
    headers: traceparent === undefined ? {} : { traceparent },
  });
  assert.equal(answer.status, 200);
  await receiver.arrival(1 + tries);
  return receiver.received.slice(1).map(({ headers }) => String(headers['traceparent']));
}

test('The trace of a call continues in its log line, in each try of its webhooks and in their log lines.', async () => {
  receiver.answers.push(200, 500, 200);
  assert.deepEqual(await decide(valid, 2), [valid, valid]);
  const lines = await until(
    () => Promise.resolve(linesOf(traceId)),
    ({ length }) => length === 3,
  );
  assert.deepEqual(lines.sort(), ['A webhook failed and will be retried.', 'A webhook was delivered.', 'request']);
});

test('An event without a call has a new trace.', async () => {
  const id = await createApplication(bridge, { webhookUrl: receiver.url });
  await submitApplication(bridge, id, '0001');
  await receiver.arrival(2);
  const sent = String(receiver.received[1]?.headers['traceparent']);
  assert.match(sent, shape);
  assert.ok(linesOf(sent.slice(3, 35)).includes('A simulated department decides.'));
});
