import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { ClaimedEvent } from '../../../src/bridge/store/webhooks/delivery-store.js';
import { sweepNextStreams, sweepStreamsOf } from '../../../src/bridge/store/webhooks/endpoint-store.js';
import { at, now, openStreams, type Streams } from './streams.js';
import { addDueStreams } from './due-streams.js';
import { setUrl, settleGone } from './endpoint-changes.js';

const waitingUrl = 'https://hooks.example';

let streams: Streams;
before(async () => {
  streams = await openStreams();
});
after(() => streams.stop());
beforeEach(async () => {
  await streams.clear();
  await streams.addAgency('a');
  await streams.addAgency('b');
});

/** Adds streams of agency `a` that follow the URL of its account, and the account's URL. */
async function setup(count: number, dueAt = at(-60)) {
  await streams.setAccountUrl({ agencyId: 'a', mode: 'test' }, waitingUrl);
  await addDueStreams(streams.db, { prefix: 'a', count, agencyId: 'a', dueAt });
  await streams.db.updateTable('webhookStream').set({ followsAccount: true }).execute();
}

async function countEvents(): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; count: number }>`
    select case when dead_at is null then 'waiting' else 'dead' end as state, count(*) from webhook_event group by 1`.execute(
    streams.db,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

async function claimFirst(): Promise<ClaimedEvent> {
  const [event] = await streams.claim({ limit: 1 });
  return event ?? assert.fail('Expected a due stream.');
}

test('A sweep that is interrupted continues where it was, and a change during a sweep begins it again.', async () => {
  await setup(500, at(3_600));
  await setUrl(streams.db, 'https://hooks.example/second');
  await sweepNextStreams(streams.db, now);
  const interrupted = streams.change(async (trx) => {
    await sweepNextStreams(trx, now);
    throw new Error('killed');
  });
  await assert.rejects(interrupted, /killed/);
  assert.deepEqual(await urls(), { 'https://hooks.example/second': 100, [waitingUrl]: 400 });
  await setUrl(streams.db, 'https://hooks.example/third');
  await streams.sweep();
  assert.deepEqual(await urls(), { 'https://hooks.example/third': 500 });
  const { rows } = await sql`select from webhook_stream where due_at > ${now}`.execute(streams.db);
  assert.equal(rows.length, 0);
});

async function urls(): Promise<Record<string, number>> {
  const { rows } = await sql<{ url: string; count: number }>`
    select url, count(*) from webhook_stream group by url`.execute(streams.db);
  return Object.fromEntries(rows.map(({ url, count }) => [url, count]));
}

test('The sweeps of two agencies take turns, and two instances do not do the same piece.', async () => {
  await setup(500);
  await addDueStreams(streams.db, { prefix: 'b', count: 500, agencyId: 'b', dueAt: now });
  const owners = ['a', 'b'].map((agencyId) => ({ agencyId, mode: 'test' }) as const);
  for (const owner of owners) {
    await streams.disable(owner, waitingUrl);
    await streams.change((trx) => sweepStreamsOf(trx, owner.agencyId));
  }
  await sweepNextStreams(streams.db, now);
  await sweepNextStreams(streams.db, now);
  const deadOf = async () => {
    const { rows } = await sql<{ agencyId: string; dead: number }>`select agency_id, count(dead_at) as dead
      from webhook_event join webhook_stream using (stream_id) group by 1 order by 1`.execute(streams.db);
    return rows.map(({ dead }) => dead);
  };
  assert.deepEqual(await deadOf(), [100, 100]);
  await streams.change(async (trx) => {
    await sweepNextStreams(trx, now);
    await sweepNextStreams(streams.db, now);
    assert.equal(await sweepNextStreams(streams.db, now), true);
  });
  await streams.sweep();
  assert.deepEqual(await deadOf(), [500, 500]);
});

test('An application with thousands of waiting events is dead-lettered in several transactions, in order.', async () => {
  const owner = { agencyId: 'a', mode: 'test' } as const;
  await streams.emit(await streams.addApplication(owner, 'long', waitingUrl));
  await sql`insert into webhook_event (stream_id, seq, id, type, data, created_at)
    select 'long', n, 'evt_' || n, 'application.submitted', '{}', ${now} from generate_series(2, 2500) n`.execute(
    streams.db,
  );
  await settleGone(streams.db, await claimFirst());
  await streams.claim();
  const { rows } = await sql<{
    first: number;
  }>`select min(seq) as first from webhook_event where dead_at is null`.execute(streams.db);
  assert.deepEqual(rows, [{ first: 1_001 }]);
  await streams.sweep();
  assert.deepEqual(await countEvents(), { dead: 2_500 });
  assert.deepEqual((await streams.streamOf('long'))?.dueAt, null);
});
