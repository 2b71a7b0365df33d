import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { listDeadLetters } from '../../../src/bridge/outbox/dead-letters.js';
import { enqueueEvent } from '../../../src/bridge/domain/events.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { until } from '../../server/support/until.js';
import { changeApplication, createApplication } from '../applications.js';
import { startReceiver, type Receiver } from '../receiver.js';

let bridge: TestBridge;
let first: Receiver;
let second: Receiver;
before(async () => {
  // The first retry is minutes later, so anything earlier is no retry.
  bridge = await startBridge({ environment: { BRIDGE_WEBHOOK_RETRY_SCALE: '100' } });
});
after(() => bridge.stop());
beforeEach(async () => {
  [first, second] = await Promise.all([startReceiver(), startReceiver()]);
});
afterEach(() => Promise.all([first.close(), second.close()]));

/**
 * An application with two waiting events for the first receiver, and its next session with the
 * second receiver's URL.
 */
async function setup() {
  const { tokens } = await bridge.addAgency();
  const token = tokens.test;
  first.answers.push(503);
  const userId = 'usr_resuming';
  const id = await createApplication(bridge, { token, userId, webhookUrl: first.url });
  await emit(id, 1, 2);
  await until('the first try to fail', async () => {
    const line = await bridge.context.db
      .selectFrom('webhook_stream')
      .select(['attempts', 'lease_until'])
      .where('application_id', '=', id)
      .executeTakeFirst();
    return line?.attempts === 1 && line.lease_until === null;
  });
  return {
    id,
    begin: (webhookUrl: string) => createApplication(bridge, { token, webhookUrl }),
    async resume() {
      assert.equal(await createApplication(bridge, { token, userId, webhookUrl: second.url }), id);
    },
  };
}

async function emit(id: string, ...indices: number[]): Promise<void> {
  for (const index of indices) {
    await changeApplication(bridge, id, (trx, application) =>
      enqueueEvent(trx, application, 'application.progress_updated', { step: 'profile', index, count: 6 }, new Date()),
    );
  }
}

const indicesAt = ({ received }: Receiver) => received.map(({ event }) => (event.data as { index?: number }).index);

const deadOf = async (id: string) =>
  (await listDeadLetters(bridge.context, 100)).filter(({ applicationId }) => applicationId === id);

test('Events that wait when an application is resumed are sent to its new URL, before the next event.', async () => {
  const { id, resume } = await setup();
  await resume();
  await emit(id, 3);
  await second.arrival(3);
  assert.deepEqual([indicesAt(first), indicesAt(second)], [[1], [1, 2, 3]]);
  assert.deepEqual(await deadOf(id), []);
});

test('Events that wait when an application is resumed with a disabled URL are dead-lettered, and the operator sees them.', async () => {
  const { id, begin, resume } = await setup();
  second.answers.push(410);
  const neighbor = await begin(second.url);
  await emit(neighbor, 1);
  await until('the address to be gone', async () => (await deadOf(neighbor)).length === 1);
  await resume();
  await emit(id, 3);
  assert.equal((await deadOf(id)).length, 3);
  assert.equal(second.received.length, 1);
});
