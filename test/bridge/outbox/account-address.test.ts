import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { updateAccount } from '../../../src/bridge/domain/accounts/agency.js';
import { enqueueEvent } from '../../../src/bridge/domain/events.js';
import type { Owner } from '../../../src/bridge/store/owner.js';
import { at, now, openStreams, otherUrl, type Streams, url } from './streams.js';

let streams: Streams;
let owner: Owner;
let wakes = 0;
before(async () => {
  streams = await openStreams();
});
after(() => streams.stop());
beforeEach(async () => {
  await streams.clear();
  owner = await streams.addAgency('a');
  wakes = 0;
});

/** Calls updateAccount (operation 2) ten seconds after the test's events. */
const setUrl = (webhookUrl: string | null, data = owner) =>
  updateAccount(
    { db: streams.db, clock: () => at(10), wakeOutbox: () => (wakes += 1), areLoopbackWebhooksAllowed: false },
    { ...data, credentialId: 'crd_1', tokenHash: Buffer.alloc(32), isDeactivated: false },
    { webhookUrl },
  );

for (const cleared of [null, '']) {
  test(`Waiting events follow the URL of the account, and ${JSON.stringify(cleared)} dead-letters them, in that mode only.`, async () => {
    const live = await streams.addAgency('a', 'live');
    for (const data of [owner, live]) {
      await setUrl(url, data);
      await streams.emit(await streams.addApplication(data, data.mode, null));
    }
    await setUrl(otherUrl);
    assert.deepEqual([(await streams.streamOf('test'))?.url, (await streams.streamOf('live'))?.url], [otherUrl, url]);
    await setUrl(cleared);
    assert.deepEqual([await streams.eventsOf('test'), await streams.eventsOf('live')], [['dead 10'], ['waiting']]);
    assert.equal(wakes, 4);
    await streams.emit('test');
    assert.equal((await streams.eventsOf('test')).length, 1, 'without a URL, no event is written');
  });
}

test('A change of the URL waits for the events that are being written, and includes them.', async () => {
  await setUrl(url);
  await streams.addApplication(owner, 'a1', null);
  let changed: Promise<unknown> | undefined;
  await streams.change(async (trx) => {
    const application = await trx.selectFrom('application').selectAll().executeTakeFirstOrThrow();
    await enqueueEvent(trx, application, 'application.session_started', {}, now);
    changed = setUrl(otherUrl);
    await streams.isBlocked();
  });
  await changed;
  const { url: to, due_at } = (await streams.streamOf('a1')) ?? {};
  assert.deepEqual([to, due_at], [otherUrl, at(10)]);
});
