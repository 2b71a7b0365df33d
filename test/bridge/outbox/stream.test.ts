import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { updateAccount } from '../../../src/bridge/domain/accounts/agency.js';
import { enqueueEvent } from '../../../src/bridge/domain/webhooks/events.js';
import type { Owner } from '../../../src/bridge/store/owner.js';
import { settleEvent } from '../../../src/bridge/store/webhooks/delivery-store.js';
import { at, now, openStreams, otherUrl, type Streams, url } from './streams.js';

let streams: Streams;
let owner: Owner;
before(async () => {
  streams = await openStreams();
});
after(() => streams.stop());
beforeEach(async () => {
  await streams.clear();
  owner = await streams.addAgency('a');
});

/** An application that uses the account's URL, with `count` waiting events. */
async function addFollower(id: string, data = owner, count = 1): Promise<string> {
  await streams.addApplication(data, id, null);
  for (let index = 0; index < count; index += 1) await streams.emit(id);
  return id;
}

async function stateOf(id: string) {
  const stream = await streams.streamOf(id);
  return stream && { ...stream, events: await streams.eventsOf(id) };
}
const fresh = { url, dueAt: now, leaseUntil: null, fence: 0, attempts: 0 };

test('An event goes to the URL of its session, else to the account’s of its mode, else nowhere.', async () => {
  const live = await streams.addAgency('a', 'live');
  await streams.setAccountUrl(live, 'https://live.example');
  await streams.emit(await streams.addApplication(owner, 'silent', null));
  assert.equal(await stateOf('silent'), undefined);
  await streams.setAccountUrl(owner, otherUrl);
  await streams.emit(await streams.addApplication(owner, 'own'));
  await addFollower('account');
  assert.deepEqual(await stateOf('own'), { ...fresh, events: ['waiting'] });
  assert.deepEqual(await stateOf('account'), { ...fresh, url: otherUrl, events: ['waiting'] });
});

test('A further event waits behind the others: it changes neither when the next try is due nor the tries so far.', async () => {
  await streams.emit(await streams.addApplication(owner, 'a1'));
  const waiting = { dueAt: at(300), attempts: 3, fence: 4, leaseUntil: at(20) };
  await streams.set('a1', waiting);
  await streams.emit('a1', at(10));
  assert.deepEqual(await stateOf('a1'), { ...fresh, ...waiting, events: ['waiting', 'waiting'] });
  await streams.mark({ deliveredAt: at(11) });
  await streams.set('a1', { dueAt: null, attempts: 0 });
  await streams.emit('a1', at(12));
  const { dueAt, events } = (await stateOf('a1')) ?? {};
  assert.deepEqual([dueAt, events], [at(12), ['delivered 11', 'delivered 11', 'waiting']]);
  const rows = await streams.db.selectFrom('webhookEvent').select('seq').orderBy('seq').execute();
  assert.deepEqual(rows, [{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
});

test('An event for another URL moves the stream there: due at once, with all tries.', async () => {
  await streams.emit(await streams.addApplication(owner, 'a1'));
  await streams.set('a1', { dueAt: at(300), attempts: 3, leaseUntil: at(20), fence: 2 });
  await streams.db.updateTable('application').set({ webhookUrl: otherUrl }).execute();
  await streams.emit('a1', at(10));
  const moved = { ...fresh, url: otherUrl, dueAt: at(10), leaseUntil: at(20), fence: 2 };
  assert.deepEqual(await stateOf('a1'), { ...moved, events: ['waiting', 'waiting'] });
});

for (const [title, agencyId, mode, theirUrl, isGone] of [
  ['the same agency and mode', 'a', 'test', url, true],
  ['another URL', 'a', 'test', otherUrl, false],
  ['the other mode', 'a', 'live', url, false],
  ['another agency', 'b', 'test', url, false],
] as const) {
  test(`A URL that answered 410 to ${title} ${isGone ? 'receives' : 'does not keep'} ${isGone ? 'nothing more' : 'an event'}.`, async () => {
    if (agencyId === 'b' || mode === 'live') await streams.addAgency(agencyId, mode);
    await streams.disable({ agencyId, mode }, theirUrl);
    await streams.emit(await streams.addApplication(owner, 'a1'), at(10));
    const claimed = await streams.claim({ now: at(11) });
    const { dueAt, leaseUntil, events } = (await stateOf('a1')) ?? {};
    assert.deepEqual([claimed.length, dueAt, events], isGone ? [0, null, ['dead 11']] : [1, at(10), ['waiting']]);
    assert.equal(leaseUntil === null, isGone);
  });
}

test('A stream that moves to a disabled URL has all its waiting events dead-lettered, and no others.', async () => {
  await streams.disable(owner, otherUrl);
  await streams.emit(await streams.addApplication(owner, 'other'));
  await streams.addApplication(owner, 'a1');
  const [delivered, dead] = [await streams.emit('a1'), await streams.emit('a1')];
  await streams.emit('a1');
  await streams.mark({ deliveredAt: at(1) }, { id: delivered });
  await streams.mark({ deadAt: at(2) }, { id: dead });
  await streams.db.updateTable('application').set({ webhookUrl: otherUrl }).where('id', '=', 'a1').execute();
  await streams.emit('a1', at(10));
  await streams.claim({ now: at(11) });
  const events = ['delivered 1', 'dead 2', 'dead 11', 'dead 11'];
  assert.deepEqual(await stateOf('a1'), { ...fresh, fence: 1, url: otherUrl, dueAt: null, events });
  assert.deepEqual(await streams.eventsOf('other'), ['waiting']);
});

/** The streams of an account, and what each change of its URL leaves alone. */
async function setupAccount() {
  const others = [await streams.addAgency('a', 'live'), await streams.addAgency('b')] as const;
  for (const data of [owner, ...others]) await streams.setAccountUrl(data, url);
  await addFollower('waiting', owner, 2);
  await addFollower('idle');
  await streams.mark({ deliveredAt: now }, { applicationId: 'idle' });
  await streams.set('idle', { dueAt: null });
  await streams.emit(await streams.addApplication(owner, 'own'));
  await addFollower('live', others[0]);
  await addFollower('stranger', others[1]);
  const untouched = { dueAt: at(300), attempts: 3, leaseUntil: at(20) };
  for (const id of ['waiting', 'own', 'live', 'stranger']) await streams.set(id, untouched);
  return async () => {
    assert.deepEqual(await stateOf('idle'), { ...fresh, dueAt: null, events: ['delivered 0'] });
    for (const id of ['own', 'live', 'stranger'])
      assert.deepEqual(await stateOf(id), { ...fresh, ...untouched, events: ['waiting'] }, id);
  };
}

let wakes = 0;
/** Calls updateAccount (operation 2) ten seconds after the test's events. */
const setUrl = (webhookUrl: string | null, data = owner) =>
  updateAccount(
    {
      db: streams.db,
      clock: () => at(10),
      wakeOutbox: () => void (wakes += 1),
      settings: { areLoopbackWebhooksAllowed: false },
    },
    { ...data, credentialId: 'crd_1', tokenHash: Buffer.alloc(32), isDeactivated: false },
    { webhookUrl },
  );

test('A new URL of the account receives what waits for the old one: at once, with all tries, after the current one.', async () => {
  const assertOthersStay = await setupAccount();
  await setUrl(otherUrl);
  await streams.sweep(at(10));
  const moved = { ...fresh, url: otherUrl, dueAt: at(10), leaseUntil: at(20) };
  assert.deepEqual(await stateOf('waiting'), { ...moved, events: ['waiting', 'waiting'] });
  await assertOthersStay();
});

test('A new URL of the account receives what is claimed from then on, before the sweep.', async () => {
  await setupAccount();
  await streams.set('waiting', { dueAt: now, leaseUntil: null });
  await setUrl(otherUrl);
  const claimed = await streams.claimOne();
  assert.deepEqual([claimed.streamId, claimed.url, claimed.attempts], ['waiting', otherUrl, 0]);
  const stored = await stateOf('waiting');
  assert.deepEqual([stored?.url, stored?.attempts], [otherUrl, 0]);
  assert.ok(stored?.leaseUntil);
});

test('A failure at the old URL of the account postpones nothing: the new one is tried at once.', async () => {
  await setupAccount();
  await streams.set('waiting', { dueAt: now, leaseUntil: null });
  const event = await streams.claimOne();
  await setUrl(otherUrl);
  await streams.sweep(at(10));
  const attempt = { attemptedAt: now, status: 503, error: 'status', durationMs: 1 };
  const outcome = { kind: 'retry', at: at(300) } as const;
  assert.equal(await settleEvent(streams.db, { event, outcome, attempt }, at(12)), true);
  assert.deepEqual((await streams.streamOf('waiting'))?.dueAt, at(12));
});

test('The same URL of the account, set again, changes no schedule.', async () => {
  const assertOthersStay = await setupAccount();
  await setUrl(url);
  await streams.sweep(at(10));
  const { dueAt, attempts } = (await stateOf('waiting')) ?? {};
  assert.deepEqual([dueAt, attempts], [at(300), 3]);
  await assertOthersStay();
});

test('A disabled URL that is set for the account is enabled in that agency and mode, whatever named it.', async () => {
  const [live, stranger] = [await streams.addAgency('a', 'live'), await streams.addAgency('b')];
  for (const data of [owner, live, stranger]) await streams.disable(data);
  await streams.disable(owner, otherUrl);
  await setUrl(url);
  assert.deepEqual(await streams.disabled(), [`a live ${url}`, `a test ${otherUrl}`, `b test ${url}`]);
  await streams.emit(await streams.addApplication(owner, 'own'));
  assert.equal((await streams.claimOne()).streamId, 'own');
});

test('Without a URL of the account, what waits for it is dead-lettered, and the current try keeps its lease.', async () => {
  const assertOthersStay = await setupAccount();
  await setUrl(null);
  await streams.sweep(at(10));
  const stopped = { ...fresh, dueAt: null, leaseUntil: at(20) };
  assert.deepEqual(await stateOf('waiting'), { ...stopped, events: ['dead 10', 'dead 10'] });
  await assertOthersStay();
});

for (const cleared of [null, '']) {
  test(`Waiting events follow the URL of the account, and ${JSON.stringify(cleared)} dead-letters them, in that mode only.`, async () => {
    const before = wakes;
    const live = await streams.addAgency('a', 'live');
    for (const data of [owner, live]) {
      await setUrl(url, data);
      await streams.emit(await streams.addApplication(data, data.mode, null));
    }
    await setUrl(otherUrl);
    await streams.sweep(at(10));
    assert.deepEqual([(await streams.streamOf('test'))?.url, (await streams.streamOf('live'))?.url], [otherUrl, url]);
    await setUrl(cleared);
    await streams.sweep(at(10));
    assert.deepEqual([await streams.eventsOf('test'), await streams.eventsOf('live')], [['dead 10'], ['waiting']]);
    assert.equal(wakes - before, 4);
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
  assert.equal((await streams.claimOne()).url, otherUrl);
});
