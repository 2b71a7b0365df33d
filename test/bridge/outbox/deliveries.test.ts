import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { createWebhookSender } from '../../../src/bridge/outbox/webhook-sender.js';
import { listDeadLetters, replayDeadLetter } from '../../../src/bridge/outbox/dead-letters.js';
import { enqueueEvent } from '../../../src/bridge/domain/events.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { changeApplication, createApplication } from '../applications.js';
import { startReceiver, type Receiver } from '../receiver.js';
import { until } from '../until.js';

let bridge: TestBridge;
let receiver: Receiver;
before(async () => {
  const clock = () => new Date();
  bridge = await startBridge({
    clock,
    sender: createWebhookSender(clock, { isLoopbackAllowed: true, timeoutMs: 300 }),
    environment: { BRIDGE_WEBHOOK_RETRY_SCALE: '0.000001' },
  });
});
after(() => bridge.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

/**
 * Emits `count` events of an application, each in a separate transaction, with their index in
 * `step`.
 */
async function emit(id: string, count: number, from = 1): Promise<void> {
  for (let index = from; index < from + count; index += 1) {
    await changeApplication(bridge, id, (trx, application) =>
      enqueueEvent(trx, application, 'application.progress_updated', { step: 'profile', index, count: 6 }, new Date()),
    );
  }
}
const indices = () => receiver.received.map(({ event }) => (event.data as { index?: number }).index);

const deadOf = (id: string, count: number) =>
  until(
    async () => (await listDeadLetters(bridge.context, 100)).filter(({ applicationId }) => applicationId === id),
    (letters) => letters.length === count,
  );

test('An event arrives once, with its documented body and headers.', async () => {
  const userId = 'usr_as_settled';
  const id = await createApplication(bridge, { userId, webhookUrl: `${receiver.url}?a=b` });
  await emit(id, 1);
  await receiver.arrival(1);
  const [{ path, headers, event }] = receiver.received as [Receiver['received'][0]];
  assert.equal(path, '/hook?a=b');
  assert.deepEqual(Object.keys(event), ['id', 'type', 'createdAt', 'data']);
  assert.match(event.id, /^evt_/);
  assert.equal(event.type, 'application.progress_updated');
  assert.match(event.createdAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const { sessionId } = (await bridge.call('GET', `/v1/applications/${id}`)).body;
  assert.deepEqual(event.data, {
    applicationId: id,
    sessionId,
    userId,
    step: 'profile',
    index: 1,
    count: 6,
  });
  assert.equal(headers['webhook-id'], event.id);
  assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000) < 5);
  assert.equal(headers['content-type'], 'application/json');
});

test('An application without a webhook URL emits nothing.', async () => {
  const id = await createApplication(bridge);
  await emit(id, 1);
  const rows = await bridge.context.db
    .selectFrom('webhook_stream')
    .selectAll()
    .where('application_id', '=', id)
    .execute();
  assert.deepEqual(rows, []);
});

test('An event whose transaction is rolled back is not sent.', async () => {
  const id = await createApplication(bridge, { webhookUrl: receiver.url });
  const change = changeApplication(bridge, id, async (trx, application) => {
    await enqueueEvent(trx, application, 'application.session_started', {}, new Date());
    throw new Error('rolled back');
  });
  await assert.rejects(change, /rolled back/);
  await emit(id, 1);
  await receiver.arrival(1);
  assert.deepEqual(indices(), [1]);
});

test('Events of one application arrive in order, one at a time, a retried one before the next.', async () => {
  let open = 0;
  let most = 0;
  const slow =
    (status: number): Receiver['answers'][0] =>
    (response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.writeHead(status).end();
      }, 10);
    };
  receiver.answers.push(slow(200), slow(503), slow(500), slow(200));
  const id = await createApplication(bridge, { webhookUrl: receiver.url });
  await emit(id, 4);
  await receiver.arrival(6);
  assert.deepEqual(indices(), [1, 2, 2, 2, 3, 4]);
  assert.equal(most, 1);
  const ids = receiver.received.slice(1, 4).map(({ event }) => event.id);
  assert.equal(new Set(ids).size, 1);
});

test('Events that are written at the same time are numbered in the order of their commits.', async () => {
  const id = await createApplication(bridge, { webhookUrl: receiver.url });
  await Promise.all(Array.from({ length: 10 }, (_, index) => emit(id, 1, index + 1)));
  await receiver.arrival(10);
  assert.deepEqual(
    [...indices()].sort((a, b) => Number(a) - Number(b)),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
});

test('A slow application does not hold up another.', async () => {
  const other = await startReceiver();
  other.answers.push(() => undefined);
  const slow = await createApplication(bridge, { webhookUrl: other.url });
  const quick = await createApplication(bridge, { webhookUrl: receiver.url });
  await emit(slow, 1);
  await other.arrival(1);
  await emit(quick, 3);
  await receiver.arrival(3);
  assert.equal(other.received.length, 1);
  await other.close();
});

test('A redirect is a failure and is not followed.', async () => {
  const elsewhere = await startReceiver();
  receiver.answers.push((response) => response.writeHead(307, { location: elsewhere.url }).end(), 200);
  await emit(await createApplication(bridge, { webhookUrl: receiver.url }), 1);
  await receiver.arrival(2);
  assert.equal(elsewhere.received.length, 0);
  await elsewhere.close();
});

test('A receiver that does not answer in time is tried again.', async () => {
  receiver.answers.push(() => undefined, 200);
  const id = await createApplication(bridge, { webhookUrl: receiver.url });
  await emit(id, 1);
  await receiver.arrival(2);
  const [first] = await bridge.context.db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('event_id', '=', receiver.received[0]?.event.id ?? '')
    .orderBy('id')
    .execute();
  assert.deepEqual([first?.status, first?.error], [null, 'timeout']);
});

test('An endless response does not hold up the stream.', async () => {
  const drip: Receiver['answers'][0] = (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'.repeat(65_536)), 1);
    response.on('close', () => {
      clearInterval(timer);
    });
  };
  receiver.answers.push(drip, 200);
  await emit(await createApplication(bridge, { webhookUrl: receiver.url }), 2);
  await receiver.arrival(2);
  assert.deepEqual(indices(), [1, 2]);
});

test('Retry-After is honored.', async () => {
  receiver.answers.push((response) => response.writeHead(429, { 'retry-after': '1' }).end(), 200);
  await emit(await createApplication(bridge, { webhookUrl: receiver.url }), 1);
  await receiver.arrival(2);
  const [first, second] = receiver.received;
  assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 1_000);
});

test('After the last retry an event is dead-lettered, the next ones are sent, and a replay sends it again.', async () => {
  receiver.answers.push(...Array<number>(10).fill(500), 200);
  const id = await createApplication(bridge, { webhookUrl: receiver.url });
  await emit(id, 2);
  await receiver.arrival(11);
  assert.deepEqual(indices(), [...Array<number>(10).fill(1), 2]);
  const [letter] = await deadOf(id, 1);
  assert.ok(letter);
  const { attempts, lastStatus, lastError, type } = letter;
  assert.deepEqual(
    { attempts, lastStatus, lastError, type },
    { attempts: 10, lastStatus: 500, lastError: 'status', type: 'application.progress_updated' },
  );

  assert.equal(await replayDeadLetter(bridge.context, letter.id), 'replayed');
  bridge.context.wakeOutbox();
  await receiver.arrival(12);
  assert.equal(receiver.received.at(-1)?.event.id, letter.id);
  await deadOf(id, 0);
  assert.equal(await replayDeadLetter(bridge.context, letter.id), 'unknown');
  assert.equal(await replayDeadLetter(bridge.context, 'evt_unknown'), 'unknown');
});

test('410 disables the URL for all applications of the agency, until an operator replays.', async () => {
  receiver.answers.push(410);
  const id = await createApplication(bridge, { webhookUrl: receiver.url });
  const sibling = await createApplication(bridge, { webhookUrl: receiver.url });
  const elsewhere = await createApplication(bridge, { webhookUrl: `${receiver.url}/other` });
  await emit(id, 2);
  await receiver.arrival(1);
  await deadOf(id, 2);
  receiver.answers.splice(0, 1, 200);
  await emit(id, 1, 3);
  await emit(sibling, 1, 4);
  const later = await createApplication(bridge, { webhookUrl: receiver.url });
  await emit(later, 1, 5);
  await emit(elsewhere, 1, 6);
  await receiver.arrival(2);
  await deadOf(id, 3);
  await deadOf(sibling, 1);
  const [letter] = await deadOf(later, 1);
  assert.deepEqual(indices(), [1, 6]);
  assert.deepEqual([letter?.attempts, letter?.lastStatus], [0, null]);

  await replayDeadLetter(bridge.context, letter?.id ?? '');
  await emit(sibling, 1, 7);
  await receiver.arrival(4);
  assert.deepEqual(new Set(indices().slice(2)), new Set([5, 7]));
});

test('Of a webhook, only its id and type are logged.', () => {
  const lines = bridge.logged.filter((line) => line.includes('webhook'));
  assert.ok(lines.length > 0);
  assert.doesNotMatch(lines.join(''), /usr_abc123|127\.0\.0\.1|hook\?/);
});
