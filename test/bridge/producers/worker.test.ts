import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { BulkOnboardType, Mode } from '../../../src/contract/index.js';
import { onboardNextBatch } from '../../../src/bridge/service/bulk-worker.js';
import { createAgency } from '../../../src/bridge/index.js';
import { createLogger } from '../../../src/bridge/config/log.js';
import type { Owner } from '../../../src/bridge/store/owner.js';
import { claimBatch, finishBatch, insertBulk, postponeBatch } from '../../../src/bridge/store/producers/bulk-store.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { registryUpTo } from './numbered-registry.js';

const now = new Date('2026-11-20T12:00:00Z');
const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

let database: TestDatabase;
let owner: Owner;
/** The first NPN of each batch, in the order of their work. */
let order: string[] = [];
let lines: { level: string; msg: string; nextAt?: string; attempt?: number }[] = [];
let onAsk: () => Promise<unknown> = () => Promise.resolve();
before(async () => {
  database = await testDatabase();
});
after(() => database.stop());
beforeEach(async () => {
  const { db } = database;
  for (const table of ['bulkBatch', 'bulkOnboarding', 'bulkTurn'] as const) await db.deleteFrom(table).execute();
  [order, lines, onAsk] = [[], [], () => Promise.resolve()];
  owner = await addOwner();
});

const addOwner = async (): Promise<Owner> => {
  const { agencyId } = await createAgency({ db: database.db, clock: () => now }, 'Example Agency');
  return { agencyId, mode: 'test' };
};
const inMode = ({ agencyId }: Owner, mode: Mode): Owner => ({ agencyId, mode });

/** Works on the next batch. The registry has the NPNs up to 1,000. */
const work = (time = now, clock = () => time) => {
  const { findKnown, ...others } = registryUpTo(1_000);
  const asked: typeof findKnown = async (mode, npns, ...rest) => {
    order.push(npns[0] ?? '');
    await onAsk();
    return findKnown(mode, npns, ...rest);
  };
  const log = createLogger('debug', { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[0]) });
  return onboardNextBatch({ db: database.db, registry: { ...others, findKnown: asked }, clock, log });
};

let last = 0;
/** Stores a job with these batches. */
async function add(batches: string[][], to = owner, createdAt = now, onboardType: BulkOnboardType = 'subscribe') {
  const id = `00000000-0000-4000-8000-${String((last += 1)).padStart(12, '0')}`;
  const job = { id, owner: to, onboardType, batches, now: createdAt };
  await database.db.transaction().execute((trx) => insertBulk(trx, job));
  return id;
}
const batchOf = (id: string, number = 0) =>
  database.db
    .selectFrom('bulkBatch')
    .select(['outcomes', 'successCount', 'attempts', 'dueAt'])
    .where('bulkId', '=', id)
    .where('number', '=', number)
    .executeTakeFirst();
const jobOf = (id: string) =>
  database.db
    .selectFrom('bulkOnboarding')
    .select(['successCount', 'openBatches', 'completedAt'])
    .where('id', '=', id)
    .executeTakeFirst();
const waiting = { outcomes: null, successCount: 0, attempts: 0, dueAt: now };

test('Each batch is finished once, with its results; the last one completes the job.', async () => {
  const id = await add([['1', '2000', '2'], ['2001']]);
  assert.equal(await work(at(1)), true);
  assert.deepEqual(await batchOf(id), { ...waiting, outcomes: [0, 40_009, 0], successCount: 2 });
  assert.deepEqual(await batchOf(id, 1), waiting);
  assert.deepEqual(await jobOf(id), { successCount: 2, openBatches: 1, completedAt: null });
  assert.equal(await work(at(2)), true);
  assert.deepEqual(await jobOf(id), { successCount: 2, openBatches: 0, completedAt: at(2) });
  assert.equal(await work(at(3)), false);
  assert.deepEqual(order, ['1', '2001']);
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [
      ['debug', 'A batch of a bulk onboarding is done.'],
      ['info', 'A bulk onboarding has finished.'],
    ],
  );
});

test('Of one owner, the oldest job comes first, and its batches in the order of the request.', async () => {
  await add([['11'], ['12']], owner, at(-1));
  await add([['1'], ['2']], owner, at(-2));
  while (await work());
  assert.deepEqual(order, ['1', '2', '11', '12']);
});

test('Owners take turns: the agencies, and the two modes of one agency. The one served longest ago comes first.', async () => {
  const live = inMode(owner, 'live');
  const other = await addOwner();
  await add([['1']], other);
  await work();
  await add([['11'], ['12'], ['13']], owner, at(-9));
  await add([['21'], ['22']], live, at(-8));
  await add([['31'], ['32']], other, at(-10));
  while (await work());
  const turns = order.slice(1).map((npn) => npn[0]);
  assert.deepEqual(turns.slice(0, 3).sort(), ['1', '2', '3']);
  assert.equal(turns[2], '3');
  assert.deepEqual(turns.slice(3), [...turns.slice(0, 3), '1']);
});

test('A batch is due at its time, not a millisecond earlier.', async () => {
  await add([['1']], owner, at(10));
  assert.equal(await work(at(9.999)), false);
  assert.equal(await work(at(10)), true);
});

for (const [attempts, seconds] of [
  [0, 1],
  [1, 2],
  [5, 32],
  [6, 60],
  [20, 60],
] as const) {
  test(`After ${attempts} failures and another one, a batch is tried again in ${seconds} seconds; others do not wait.`, async () => {
    const id = await add([['1']]);
    await database.db.updateTable('bulkBatch').set({ attempts }).execute();
    const other = await add([['2']], await addOwner());
    onAsk = () => (order.at(-1) === '1' ? Promise.reject(new Error('away')) : Promise.resolve());
    for (let turn = 0; turn < 2; turn += 1) assert.equal(await work(), true);
    assert.deepEqual(await batchOf(id), { ...waiting, attempts: attempts + 1, dueAt: at(seconds) });
    assert.deepEqual((await batchOf(other))?.outcomes, [0]);
    const error = lines.find(({ level }) => level === 'error');
    assert.deepEqual([error?.attempt, error?.nextAt], [attempts + 1, at(seconds).toISOString()]);
    assert.equal(await work(at(seconds - 0.001)), false);
  });
}

test('The batches of a deactivated agency wait, even when it is deactivated while the registry answers.', async () => {
  const { db } = database;
  const id = await add([['1']]);
  const deactivate = (deactivatedAt: Date | null) =>
    db.updateTable('agency').set({ deactivatedAt }).where('id', '=', owner.agencyId).execute();
  onAsk = () => deactivate(now);
  assert.equal(await work(), true);
  assert.deepEqual(await batchOf(id), waiting);
  assert.equal(await work(), false);
  onAsk = () => Promise.resolve();
  await deactivate(null);
  assert.equal(await work(), true);
  assert.deepEqual((await batchOf(id))?.outcomes, [0]);
});

test('A batch that another instance holds is skipped, and its failure is not counted meanwhile.', async () => {
  const { db } = database;
  const id = await add([['1'], ['2']]);
  await db.transaction().execute(async (trx) => {
    const held = await claimBatch(trx, owner, now);
    assert.ok(held);
    assert.deepEqual([held.number, held.owner], [0, owner]);
    await postponeBatch(db, held, at(60));
    assert.equal(await work(), true);
    assert.equal(await work(), false);
    assert.deepEqual(order, ['2']);
    await finishBatch(trx, held, [0], now);
  });
  assert.deepEqual(await jobOf(id), { successCount: 2, openBatches: 0, completedAt: now });
  assert.deepEqual(await batchOf(id), { ...waiting, outcomes: [0], successCount: 1 });
});

test('An error before a batch is claimed is one of the worker, and no failure of a batch.', async () => {
  const id = await add([['1']]);
  const times = [now];
  const clock = () => times.pop() ?? assert.fail('The claim failed.');
  await assert.rejects(work(now, clock), /The claim failed/);
  assert.deepEqual([(await batchOf(id))?.attempts, lines], [0, []]);
});

test('A failure that is recorded after another instance has finished the batch changes nothing.', async () => {
  const id = await add([['1'], ['2']]);
  const other = await add([['3']], await addOwner());
  const batch = { bulkId: id, number: 0, npns: ['1'], onboardType: 'subscribe' as const, owner, attempts: 0 };
  await postponeBatch(database.db, batch, at(1));
  assert.deepEqual(await batchOf(id), { ...waiting, attempts: 1, dueAt: at(1) });
  for (const untouched of [await batchOf(id, 1), await batchOf(other)]) assert.deepEqual(untouched, waiting);
  await work(at(1));
  await work(at(1));
  await work(at(1));
  const finished = await batchOf(id);
  await postponeBatch(database.db, batch, at(2));
  assert.deepEqual(await batchOf(id), finished);
});

test('A batch of the other mode, of another agency or of a completed job is not claimed.', async () => {
  const stranger = await addOwner();
  await add([['1']]);
  const claim = (by: Owner) => database.db.transaction().execute((trx) => claimBatch(trx, by, now));
  assert.equal(await claim(inMode(owner, 'live')), undefined);
  assert.equal(await claim(stranger), undefined);
  assert.equal((await claim(owner))?.npns[0], '1');
  await database.db.updateTable('bulkOnboarding').set({ completedAt: now }).execute();
  assert.equal(await claim(owner), undefined);
  assert.equal(await work(), false);
});
