import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { createApplication, submitApplication } from '../applications.js';
import { runHere } from '../process.js';
import { startReceiver, type Receiver } from '../receiver.js';

const secretKey = Buffer.alloc(32, 7).toString('base64');
let bridge: TestBridge;
let receiver: Receiver;
before(async () => {
  bridge = await startBridge({
    environment: { BRIDGE_WEBHOOK_RETRY_SCALE: '0.000001', BRIDGE_SECRET_KEY: secretKey },
  });
  receiver = await startReceiver();
});
after(async () => {
  await bridge.stop();
  await receiver.close();
});

/** The log lines with an id, by message. */
const linesOf = (requestId: unknown) =>
  bridge.logged
    .map((line) => JSON.parse(line) as { requestId?: string; msg: string })
    .filter((line) => line.requestId === requestId)
    .map(({ msg }) => msg);

/** The id in the webhook of this type. */
function idOf(type: string): string {
  const id = receiver.received.find(({ event }) => event.type === type)?.headers['x-request-id'];
  assert.ok(typeof id === 'string', `${type} has no x-request-id`);
  return id;
}

async function delivered(requestId: string): Promise<void> {
  // The log line is written after the receiver has the webhook.
  while (!linesOf(requestId).includes('A webhook was delivered.')) await new Promise(setImmediate);
}

test("A page, an API call, a simulated department and an operator's command each have a separate id.", async () => {
  receiver.answers.push(500, 200);
  const id = await createApplication(bridge, { webhookUrl: receiver.url, states: ['TX', 'CA', 'FL'] });
  const { sessionId, linkHash } = await bridge.context.db
    .selectFrom('application')
    .select(['sessionId', 'linkHash'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const page = await fetch(bridge.context.links.applicationUrl({ mode: 'test', sessionId }, linkHash));
  await page.text();
  await receiver.arrival(2);
  const pageId = page.headers.get('x-request-id') ?? '';
  assert.match(pageId, /^req_/);
  for (const { headers } of receiver.received) assert.equal(headers['x-request-id'], pageId, 'also of a retry');
  await delivered(pageId);
  assert.deepEqual(linesOf(pageId).sort(), [
    'A webhook failed and will be retried.',
    'A webhook was delivered.',
    'request',
  ]);

  receiver.received.length = 0;
  await submitApplication(bridge, id, '0004');
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const path = `/v1/test_helpers/applications/${id}/states/TX`;
  const called = await bridge.call('POST', path, { body: { status: 'denied' }, headers: { traceparent } });
  await receiver.arrival(2);
  assert.equal(idOf('application.status_changed'), called.headers.get('x-request-id'));
  assert.equal(receiver.received.at(-1)?.headers['traceparent'], traceparent);

  receiver.received.length = 0;
  const command = ['application', 'decide', '--id', id, '--state', 'CA', '--status', 'denied'];
  const decided = await runHere(command, { DATABASE_URL: bridge.databaseUrl, BRIDGE_SECRET_KEY: secretKey });
  assert.equal(decided.err, '');
  await receiver.arrival(1);
  assert.match(idOf('application.status_changed'), /^cmd_/);

  receiver.received.length = 0;
  const other = await createApplication(bridge, { webhookUrl: receiver.url });
  await submitApplication(bridge, other, '0001');
  await receiver.arrival(2);
  const jobId = idOf('application.status_changed');
  assert.match(jobId, /^job_/);
  const trace = String(receiver.received[1]?.headers['traceparent']);
  assert.match(trace, /^00-[\da-f]{32}-[\da-f]{16}-00$/);
  await delivered(jobId);
  assert.deepEqual(linesOf(jobId), ['A simulated department decides.', 'A webhook was delivered.']);
});
