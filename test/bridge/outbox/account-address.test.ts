import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Mode } from '../../../src/contract/index.js';
import { listDeadLetters, replayDeadLetter } from '../../../src/bridge/outbox/dead-letters.js';
import { enqueueEvent } from '../../../src/bridge/domain/events.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { changeApplication, createApplication } from '../applications.js';
import { startReceiver, type Receiver } from '../receiver.js';
import { until } from '../until.js';

let bridge: TestBridge;
let first: Receiver;
let second: Receiver;
before(async () => {
  // The first retry is minutes later, so anything earlier is no retry.
  bridge = await startBridge({ environment: { BRIDGE_WEBHOOK_RETRY_SCALE: '100', BRIDGE_RATE_LIMIT: '100000' } });
});
after(() => bridge.stop());
beforeEach(async () => {
  [first, second] = await Promise.all([startReceiver(), startReceiver()]);
});
afterEach(() => Promise.all([first.close(), second.close()]));

/** A separate agency per test, because all its applications share the account's URL. */
async function setup() {
  const { tokens } = await bridge.addAgency();
  return {
    async setAddress(webhookUrl: string | null, mode: Mode = 'test') {
      const answer = await bridge.call('PATCH', '/v1/account', { body: { webhookUrl }, token: tokens[mode] });
      assert.equal(answer.status, 200);
    },
    begin: (webhookUrl?: string, mode: Mode = 'test') =>
      createApplication(bridge, {
        token: tokens[mode],
        paymentMethod: 'partner_billing',
        ...(webhookUrl === undefined ? {} : { webhookUrl }),
      }),
  };
}

/** Emits events of an application, each in a separate transaction. */
async function emit(id: string, ...indices: number[]): Promise<void> {
  for (const index of indices) {
    await changeApplication(bridge, id, (trx, application) =>
      enqueueEvent(trx, application, 'application.progress_updated', { step: 'profile', index, count: 6 }, new Date()),
    );
  }
}
const indicesAt = ({ received }: Receiver) => received.map(({ event }) => (event.data as { index?: number }).index);
const lineOf = (id: string) =>
  bridge.context.db.selectFrom('webhook_stream').selectAll().where('application_id', '=', id).executeTakeFirst();

const failedOnce = (id: string) =>
  until(async () => {
    const line = await lineOf(id);
    return line?.attempts === 1 && line.lease_until === null;
  });
const deadOf = async (id: string) =>
  (await listDeadLetters(bridge.context, 100)).filter(({ applicationId }) => applicationId === id);

test('Events of a session without a webhookUrl are sent to the current URL of the account.', async () => {
  const { setAddress, begin } = await setup();
  const id = await begin();
  await emit(id, 1);
  assert.equal(await lineOf(id), undefined);
  await setAddress(first.url);
  await emit(id, 2, 3);
  await first.arrival(2);
  await setAddress(second.url);
  await emit(id, 4);
  await second.arrival(1);
  await setAddress('');
  await emit(id, 5);
  await setAddress(first.url);
  await emit(id, 6);
  await first.arrival(3);
  assert.deepEqual([indicesAt(first), indicesAt(second)], [[2, 3, 6], [4]]);
  assert.deepEqual(await deadOf(id), []);
});

test("The webhookUrl of a session takes precedence over the account's.", async () => {
  const { setAddress, begin } = await setup();
  await setAddress(first.url);
  const id = await begin(second.url);
  await emit(id, 1);
  await second.arrival(1);
  await setAddress(`${first.url}/other`);
  await setAddress(null);
  await emit(id, 2);
  await second.arrival(2);
  assert.deepEqual([indicesAt(first), indicesAt(second)], [[], [1, 2]]);
});

test('Waiting events are sent to the new URL at once, in order, and before later ones.', async () => {
  const { setAddress, begin } = await setup();
  await setAddress(first.url);
  first.answers.push(503);
  const ids = [await begin(), await begin()];
  const own = await begin(`${first.url}/own`);
  for (const id of [...ids, own]) await emit(id, 1, 2);
  for (const id of [...ids, own]) await failedOnce(id);
  await setAddress(second.url);
  for (const id of ids) await emit(id, 3);
  await second.arrival(6);
  for (const id of ids) {
    const received = second.received.filter(({ event }) => event.data.applicationId === id);
    assert.deepEqual(
      received.map(({ event }) => (event.data as { index?: number }).index),
      [1, 2, 3],
    );
  }
  assert.deepEqual(indicesAt(first), [1, 1, 1]);
  assert.equal((await lineOf(own))?.attempts, 1);
});

for (const [what, answer] of [
  ['fails', 503],
  ['says 410', 410],
] as const) {
  test(`A current try when the URL changes, which then ${what}, is repeated at the new URL, never at the same time.`, async () => {
    const { setAddress, begin } = await setup();
    await setAddress(first.url);
    let finish = () => {};
    const asked = new Promise<void>((resolve) => {
      first.answers.push((response) => {
        finish = () => response.writeHead(answer).end();
        resolve();
      });
    });
    const id = await begin();
    await emit(id, 1, 2);
    await asked;
    await setAddress(second.url);
    await emit(id, 3);
    assert.equal(second.received.length, 0);
    finish();
    await second.arrival(3);
    assert.deepEqual([indicesAt(first), indicesAt(second)], [[1], [1, 2, 3]]);
    assert.deepEqual(await deadOf(id), []);
  });
}

test('Without a URL, waiting events are dead-lettered, and a replay uses the current URL.', async () => {
  const { setAddress, begin } = await setup();
  await setAddress(first.url);
  first.answers.push(503);
  const id = await begin();
  await emit(id, 1, 2);
  await failedOnce(id);
  await setAddress(null);
  const letters = (await deadOf(id)).reverse();
  assert.equal(letters.length, 2);
  const [letter] = letters;
  assert.equal(await replayDeadLetter(bridge.context, letter?.id ?? ''), 'no_address');
  await setAddress(second.url);
  assert.equal(await replayDeadLetter(bridge.context, letter?.id ?? ''), 'replayed');
  bridge.context.wakeOutbox();
  await second.arrival(1);
  await emit(id, 3);
  await second.arrival(2);
  assert.deepEqual([indicesAt(first), indicesAt(second)], [[1], [1, 3]]);
});

for (const isSame of [false, true]) {
  test(`A current try when the URL is cleared is the last one; ${isSame ? 'the same' : 'another'} URL starts with the next event.`, async () => {
    const { setAddress, begin } = await setup();
    await setAddress(first.url);
    let finish = () => {};
    const asked = new Promise<void>((resolve) => {
      const waiting: Receiver['answers'][0] = (response) => {
        finish = () => response.writeHead(503).end();
        resolve();
      };
      first.answers.push(waiting, 200);
    });
    const id = await begin();
    await emit(id, 1, 2);
    await asked;
    await setAddress(null);
    const next = isSame ? first : second;
    await setAddress(next.url);
    await emit(id, 3);
    finish();
    await next.arrival(isSame ? 2 : 1);
    assert.deepEqual([...indicesAt(first), ...indicesAt(second)], [1, 3]);
    assert.equal((await deadOf(id)).length, 2);
  });
}

test('A change of the URL waits for the events that are being written, and includes them.', async () => {
  const { setAddress, begin } = await setup();
  await setAddress(first.url);
  first.answers.push(503);
  const id = await begin();
  let changed: Promise<void> | undefined;
  await changeApplication(bridge, id, async (trx, application) => {
    const { db } = bridge.context;
    await enqueueEvent(trx, application, 'application.session_started', {}, new Date());
    changed = setAddress(second.url);
    await until(async () => {
      const { rows } = await sql`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length > 0;
    });
  });
  await changed;
  await second.arrival(1);
  assert.equal(second.received[0]?.event.type, 'application.session_started');
});

test('A URL that answered 410 is used again after updateAccount (operation 2) sets it.', async () => {
  const { setAddress, begin } = await setup();
  await setAddress(first.url);
  first.answers.push(410, 200);
  const [id, sibling, own] = [await begin(), await begin(), await begin(first.url)];
  await emit(id, 1);
  await until(async () => (await deadOf(id)).length === 1);
  for (const one of [id, sibling, own]) await emit(one, 2);
  for (const one of [sibling, own]) assert.equal((await deadOf(one)).length, 1);
  assert.deepEqual(indicesAt(first), [1]);
  await setAddress(first.url);
  for (const one of [id, sibling, own]) await emit(one, 3);
  await first.arrival(4);
  assert.deepEqual(indicesAt(first), [1, 3, 3, 3]);
});

test('A disabled URL can be replaced with another one.', async () => {
  const { setAddress, begin } = await setup();
  await setAddress(first.url);
  first.answers.push(410);
  const id = await begin();
  await emit(id, 1);
  await until(async () => (await deadOf(id)).length === 1);
  await setAddress(second.url);
  await emit(id, 2);
  await second.arrival(1);
  assert.deepEqual(indicesAt(second), [2]);
});

test('A URL is disabled in its own mode only.', async () => {
  const { begin } = await setup();
  const https = first.url.replace('http:', 'https:');
  const [id, live] = [await begin(https), await begin('https://live.example/hooks', 'live')];
  // As if it had been stored before such URLs were refused.
  const { db } = bridge.context;
  await db.updateTable('application').set({ webhook_url: https }).where('id', '=', live).execute();
  await emit(id, 1);
  await failedOnce(id);
  // Like a receiver with a certificate.
  await db.updateTable('webhook_stream').set({ gone_at: new Date() }).where('application_id', '=', id).execute();
  await emit(live, 2);
  // Live mode refuses loopback, so the try fails, and the URL is not disabled.
  await failedOnce(live);
  assert.deepEqual(await deadOf(live), []);
});

test('The two modes have separate URLs.', async () => {
  const { setAddress, begin } = await setup();
  await setAddress(first.url);
  const live = await begin(undefined, 'live');
  await emit(live, 1);
  assert.equal(await lineOf(live), undefined);
  await setAddress('https://live.example/hooks', 'live');
  const id = await begin();
  await emit(id, 2);
  await first.arrival(1);
  await setAddress(null, 'live');
  await emit(id, 3);
  await first.arrival(2);
  assert.deepEqual(indicesAt(first), [2, 3]);
});

test('With concurrent events and changes of the URL, each event arrives once, in order.', async () => {
  const { setAddress, begin } = await setup();
  await setAddress(first.url);
  const ids = await Promise.all(Array.from({ length: 4 }, () => begin()));
  const indices = Array.from({ length: 12 }, (_, place) => place + 1);
  const changes = async () => {
    for (let round = 0; round < 10; round += 1) await setAddress(`${first.url}/${String(round % 3)}`);
  };
  await Promise.all([changes(), ...ids.map((id) => emit(id, ...indices))]);
  await first.arrival(ids.length * indices.length);
  for (const id of ids) {
    const received = first.received.filter(({ event }) => event.data.applicationId === id);
    const order = received.map(({ event }) => (event.data as { index?: number }).index);
    assert.deepEqual(order, indices);
  }
  assert.ok(new Set(first.received.map(({ path }) => path)).size > 1);
});
