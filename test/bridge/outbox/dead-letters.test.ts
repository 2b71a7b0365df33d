import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import {
  listDeadLetters,
  replayApplication,
  replayDeadLetter,
} from '../../../src/bridge/domain/webhooks/dead-letters.js';
import type { Owner } from '../../../src/bridge/store/owner.js';
import {
  countDeadLetters,
  findBacklog,
  findDeadLettersOf,
  requeueDeadLetters,
} from '../../../src/bridge/store/webhooks/dead-letter-store.js';
import { at, now, openStreams, otherUrl, type Streams, url } from './streams.js';

let streams: Streams;
let owner: Owner;
const actor = 'cli:tester';
let context: { db: Streams['db']; clock: () => Date };
before(async () => {
  streams = await openStreams();
  context = { db: streams.db, clock: () => at(10) };
});
after(() => streams.stop());
beforeEach(async () => {
  await streams.clear();
  owner = await streams.addAgency('a');
});

/** Adds an application with dead-lettered events of these seconds. Resolves with their ids. */
async function addDead(
  id: string,
  seconds: number[],
  webhookUrl: string | null = url,
  data = owner,
): Promise<string[]> {
  await streams.addApplication(data, id, webhookUrl);
  const ids = [];
  for (const second of seconds) {
    const eventId = await streams.emit(id);
    await streams.mark({ deadAt: at(second) }, { id: eventId });
    ids.push(eventId);
  }
  await streams.set(id, { dueAt: null, attempts: 2 });
  return ids;
}

const stateOf = async (id: string) => {
  const { url: to, dueAt, attempts } = (await streams.streamOf(id)) ?? {};
  return { url: to, dueAt, attempts, events: await streams.eventsOf(id) };
};
const revived = { url, dueAt: at(10), attempts: 0 };
const destination = { streamId: 'a1', url, followsAccount: false };
const untouched = { url, dueAt: null, attempts: 2 };

const audit = () =>
  streams.db
    .selectFrom('auditEntry')
    .select(['agencyId', 'mode', 'actor', 'action', 'subject', 'result'])
    .orderBy('id')
    .execute();
const replayedEntry = { agencyId: 'a', mode: 'test', action: 'webhook.replayed', result: 'done' };

test('Only dead-lettered events are listed, the newest first, with their tries and the last answer.', async () => {
  const [first = '', second = ''] = await addDead('a1', [1, 3]);
  const [third = '', fourth = ''] = await addDead('a2', [2, 2], otherUrl);
  await streams.emit('a1');
  const tries = [
    { status: 500, error: 'status' },
    { status: null, error: 'answer_timeout' },
  ].map((answer) => ({ ...answer, eventId: first, attemptedAt: now, durationMs: 1 }));
  for (const row of tries) await streams.db.insertInto('webhookAttempt').values(row).execute();
  const letters = await listDeadLetters(context, 'all', 4);
  assert.deepEqual(
    letters.map(({ id }) => id),
    [second, fourth, third, first],
  );
  assert.deepEqual(letters.at(-1), {
    ...{ id: first, type: 'application.session_started', applicationId: 'a1', createdAt: now.toISOString() },
    npn: null,
    ...{ deadAt: at(1).toISOString(), attempts: 2, lastStatus: null, lastError: 'answer_timeout' },
  });
  assert.deepEqual([letters[0]?.attempts, letters[0]?.lastStatus, letters[0]?.lastError], [0, null, null]);
  assert.equal((await listDeadLetters(context, 'all', 3)).length, 3);
  assert.equal(await countDeadLetters(streams.db, 'all'), 4);
  assert.deepEqual(await streams.change((trx) => findDeadLettersOf(trx, 'a1', 1, 1)), [{ id: second, seq: 2 }]);
});

test('A replayed event is due at once, with all tries, at an enabled URL; the others stay dead-lettered.', async () => {
  const [first = ''] = await addDead('a1', [1, 2]);
  await addDead('a2', [1], otherUrl);
  assert.equal(await replayDeadLetter(context, 'all', first, 'operator:opr_1'), 'replayed');
  assert.deepEqual(await stateOf('a1'), { ...revived, events: ['waiting', 'dead 2'] });
  assert.deepEqual(await stateOf('a2'), { ...untouched, url: otherUrl, events: ['dead 1'] });
  assert.deepEqual(await audit(), [{ ...replayedEntry, actor: 'operator:opr_1', subject: `a1/${first}` }]);
  for (const id of [first, 'evt_unknown']) assert.equal(await replayDeadLetter(context, 'all', id, actor), 'unknown');
  assert.equal((await audit()).length, 1);
});

test('All dead-lettered events of an application are replayed, and each is in the audit trail.', async () => {
  const [first, second] = await addDead('a1', [1, 2]);
  await streams.mark({ deliveredAt: now, deadAt: null }, { id: await streams.emit('a1') });
  assert.deepEqual(await replayApplication(context, 'all', 'a1', actor), { outcome: 'replayed', count: 2 });
  assert.deepEqual(await stateOf('a1'), { ...revived, events: ['waiting', 'waiting', 'delivered 0'] });
  const subjects = [first, second].map((id) => ({ ...replayedEntry, actor, subject: `a1/${id ?? ''}` }));
  assert.deepEqual(await audit(), subjects);
  for (const id of ['a1', 'app_unknown'])
    assert.deepEqual(await replayApplication(context, 'all', id, actor), { outcome: 'unknown', count: 0 });
});

for (const [title, sessionUrl, accountUrl, sentTo] of [
  ['of its session', otherUrl, 'https://account.example', otherUrl],
  ['of the account', null, otherUrl, otherUrl],
  ['of neither, and stays', null, null, undefined],
] as const) {
  test(`A replay uses the current URL ${title}.`, async () => {
    const live = await streams.addAgency('a', 'live');
    await streams.setAccountUrl(live, 'https://live.example');
    await streams.setAccountUrl(owner, url);
    const [eventId = ''] = await addDead('a1', [1], null);
    await streams.setAccountUrl(owner, accountUrl);
    await streams.db.updateTable('application').set({ webhookUrl: sessionUrl }).execute();
    assert.equal(
      await replayDeadLetter(context, 'all', eventId, actor),
      sentTo === undefined ? 'no_address' : 'replayed',
    );
    const state =
      sentTo === undefined ? { ...untouched, events: ['dead 1'] } : { ...revived, url: sentTo, events: ['waiting'] };
    assert.deepEqual(await stateOf('a1'), state);
  });
}

test('A replay enables the URL for all applications of the agency and mode, and leaves the schedule of others alone.', async () => {
  const [eventId = ''] = await addDead('a1', [1]);
  await addDead('a2', [1]);
  await streams.emit(await streams.addApplication(owner, 'a3'));
  await streams.set('a3', { dueAt: at(300), attempts: 2 });
  for (const data of [owner, await streams.addAgency('a', 'live'), await streams.addAgency('b')])
    await streams.disable(data);
  await streams.disable(owner, otherUrl);
  await replayDeadLetter(context, 'all', eventId, actor);
  assert.deepEqual(await streams.disabled(), [`a live ${url}`, `a test ${otherUrl}`, `b test ${url}`]);
  assert.deepEqual(await stateOf('a2'), { ...untouched, events: ['dead 1'] });
  assert.deepEqual(await stateOf('a3'), { url, dueAt: at(300), attempts: 2, events: ['waiting'] });
});

test('Hundreds of dead-lettered events of one application are replayed in several transactions.', async () => {
  await streams.addApplication(owner, 'a1');
  await streams.emit('a1');
  await sql`insert into webhook_event (stream_id, seq, id, type, data, created_at)
    select 'a1', n, 'evt_' || n, 'application.submitted', '{}', ${now} from generate_series(2, 450) n`.execute(
    streams.db,
  );
  await streams.mark({ deadAt: now });
  assert.deepEqual(await replayApplication(context, 'all', 'a1', actor), { outcome: 'replayed', count: 450 });
  assert.deepEqual(new Set(await streams.eventsOf('a1')), new Set(['waiting']));
  assert.equal((await audit()).length, 450);
  const { rows } = await sql<{
    changes: number;
  }>`select count(distinct xmin::text) as changes from webhook_event`.execute(streams.db);
  assert.deepEqual(rows, [{ changes: 3 }]);
});

test('A second replay of the same events finds nothing to do, and does not bring the next try forward.', async () => {
  const ids = await addDead('a1', [1]);
  await replayApplication(context, 'all', 'a1', actor);
  await streams.set('a1', { dueAt: at(300), attempts: 1 });
  const again = streams.change((trx) => requeueDeadLetters(trx, ids, { ...destination, ...owner }, at(20)));
  assert.deepEqual(await again, []);
  assert.deepEqual(await stateOf('a1'), { ...revived, dueAt: at(300), attempts: 1, events: ['waiting'] });
});

test('Of two replays at the same time, the second waits and replays nothing.', async () => {
  const ids = await addDead('a1', [1]);
  let second: Promise<string> | undefined;
  await streams.change(async (trx) => {
    await requeueDeadLetters(trx, ids, { ...destination, ...owner }, at(10));
    second = replayDeadLetter(context, 'all', ids[0] ?? '', actor);
    await streams.isBlocked();
  });
  assert.equal(await second, 'unknown');
  assert.deepEqual(await audit(), []);
});

test('The backlog counts due streams, waiting and dead events, and open, held and all NPNs of bulk onboardings.', async () => {
  const { db } = streams;
  const empty = { oldestDueAt: null, dueStreams: 0, waitingEvents: 0, deadEvents: 0 };
  assert.deepEqual(await findBacklog(db, now), { ...empty, openItems: 0, heldItems: 0, allItems: 0 });
  const off = await streams.addAgency('off');
  await db.updateTable('agency').set({ deactivatedAt: now }).where('id', '=', 'off').execute();
  for (const [id, data, second] of [
    ['a1', owner, -5],
    ['a2', owner, 0],
    ['later', owner, 0.001],
    ['off', off, -9],
  ] as const) {
    await streams.emit(await streams.addApplication(data, id, `https://hooks.example/${id}`), at(second));
  }
  await addDead('dead', [1, 2]);
  const delivered = await streams.emit('a1');
  await streams.mark({ deliveredAt: now }, { id: delivered });
  for (const [number, data, completedAt, outcomes] of [
    [1, owner, null, null],
    [2, off, null, null],
    [3, off, null, '{0,0,0}'],
    [4, off, now, null],
  ] as const) {
    const npns = `{${Array.from({ length: number }, (_, index) => index + 1).join()}}`;
    await sql`with bulk as (insert into bulk_onboarding
        values (gen_random_uuid(), ${data.agencyId}, 'test', 'lookup', ${100 * number}, 0, 1, ${now}, ${completedAt})
        returning id)
      insert into bulk_batch select id, 0, ${sql.lit(npns)}, ${sql.lit(outcomes)}, 0, 0, ${now} from bulk`.execute(db);
  }
  const streamsDue = { oldestDueAt: at(-5), dueStreams: 2, waitingEvents: 4, deadEvents: 2 };
  assert.deepEqual(await findBacklog(db, now), { ...streamsDue, openItems: 7, heldItems: 2, allItems: 1_000 });
});
