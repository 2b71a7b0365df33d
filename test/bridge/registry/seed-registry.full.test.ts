import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import { seedRegistry, type SeedOptions } from '../../../src/bridge/registry/seed-registry.js';
import { generateProducer, syntheticNpn } from '../../../src/bridge/registry/synthetic/producer.js';
import { createTableRegistry } from '../../../src/bridge/registry/table-registry.js';
import { findFirstNpns } from '../../../src/bridge/store/producers/registry-store.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { addProducers } from '../../support/producers.js';

const keys = createKeys([randomBytes(32)]);
const at = new Date('2026-03-01T12:00:00Z');
let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.stop());

function fill(wanted: Partial<SeedOptions>, onProgress?: Parameters<typeof seedRegistry>[2]) {
  return seedRegistry(
    { db: database.db, keys, clock: () => at },
    { mode: 'test', count: 1_200, seed: 0, at, ...wanted },
    onProgress,
  );
}

test('A registry is seeded once, regardless of the number of concurrent calls.', async () => {
  const twice = await Promise.all([fill({ seed: 1 }), fill({ seed: 1 })]);
  assert.equal(
    twice.reduce((sum, { created }) => sum + created, 0),
    1_200,
  );
  assert.deepEqual(await fill({ seed: 1 }), { created: 0, existing: 1_200 });
  assert.deepEqual(await fill({ seed: 1, count: 1_300 }), { created: 100, existing: 1_200 });
});

test('A seeded registry finds each producer, also by SSN, and only in its mode.', async () => {
  await fill({ seed: 2, mode: 'live' });
  const registry = createTableRegistry(database.db, keys);
  const { npn, ssn = '', ...detail } = generateProducer(2, 1_199);
  const moment = at.toISOString();
  assert.deepEqual(
    await registry.findProducers('live', [npn]),
    new Map([[npn, { id: `prd_live_${npn}`, createdAt: moment, updatedAt: moment, ...detail }]]),
  );
  assert.equal(await registry.findNpn('live', detail.biographic.lastName, ssn), npn);
  assert.equal(await registry.findNpn('test', detail.biographic.lastName, ssn), undefined);
  assert.equal((await findFirstNpns(database.db, 'test', 10_000)).includes(npn), false);
});

test('The first hundred producers and every tenth have one update on the day of the seed.', async () => {
  await Promise.all([fill({ seed: 5, count: 120 }), fill({ seed: 5, count: 120 })]);
  await fill({ seed: 5, count: 121 });
  const registry = createTableRegistry(database.db, keys);
  const updateOf = (index: number) =>
    registry.findUpdate('test', syntheticNpn(5, index), new Date('2026-03-02T00:00:00Z'));
  for (const index of [0, 1, 99, 110, 120]) {
    const { npn, ssn: _ssn, ...detail } = generateProducer(5, index);
    const update = await updateOf(index);
    assert.equal(update?.updatedAt.getTime(), at.getTime(), npn);
    assert.ok(update.changes.length > 0);
    const moment = at.toISOString();
    assert.deepEqual(update.producer, { id: `prd_test_${npn}`, createdAt: moment, updatedAt: moment, ...detail });
  }
  assert.equal(await updateOf(101), undefined);
  const rows = await database.db
    .selectFrom('registryUpdate')
    .select('npn')
    .where('npn', '>=', Number(syntheticNpn(5, 0)))
    .execute();
  assert.equal(rows.length, 103);
});

test('Changes of a producer since the seed stay.', async () => {
  await fill({ seed: 3, count: 1 });
  const npn = syntheticNpn(3, 0);
  await addProducers({ db: database.db, keys }, 'test', [{ npn, nasdExamDetails: 'Changed' }]);
  assert.deepEqual(await fill({ seed: 3, count: 1 }), { created: 0, existing: 1 });
  const found = await createTableRegistry(database.db, keys).findProducers('test', [npn]);
  assert.equal(found.get(npn)?.nasdExamDetails, 'Changed');
});

test('Producers are generated while they are written, so a million need no more memory than a thousand.', async () => {
  const seen: number[] = [];
  const stopEarly = new Error('enough');
  const filling = fill({ seed: 4, count: 9_999_999 }, ({ created }) => {
    seen.push(created);
    if (created >= 2_000) throw stopEarly;
  });
  await assert.rejects(filling, stopEarly);
  // Two batches of 500 at a time, so later ones are not created yet.
  assert.deepEqual(seen, [500, 1_000, 1_500, 2_000]);
});
