import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createBulkWorker } from '../../../src/bridge/service/bulk-worker.js';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import { createLogger } from '../../../src/bridge/config/log.js';
import { seedRegistry } from '../../../src/bridge/registry/seed-registry.js';
import { syntheticNpn } from '../../../src/bridge/registry/synthetic/producer.js';
import { createTableRegistry } from '../../../src/bridge/registry/table-registry.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { findFirstNpns } from '../../../src/bridge/store/producers/registry-store.js';
import { testDatabase } from '../../support/database.js';
import { serveInProcess } from '../process.js';
import { until } from '../until.js';
import { npnsFrom, rowsOf } from './bulk-job.js';
import { createOwner, queueBulk } from './queued-job.js';

test('A process that is killed during a job leaves nothing half done, and another process finishes the job.', async (t) => {
  const database = await testDatabase();
  t.after(() => database.stop());
  const { db } = database;
  const secretKey = randomBytes(32);
  await seedRegistry(
    { db, keys: createKeys([secretKey]), clock: () => new Date() },
    { mode: 'test', count: 3_000, seed: 1, at: new Date() },
  );
  const known = await findFirstNpns(db, 'test', 3_000);
  const owner = await createOwner(db);
  const jobs = [];
  for (const part of [1, 2, 3, 4]) jobs.push(await queueBulk(db, owner, [...npnsFrom(part, 7_000), ...known]));

  const serve = async () => {
    const variables = { DATABASE_URL: database.url, BRIDGE_SECRET_KEY: secretKey.toString('base64') };
    const serving = await serveInProcess({ ...variables, LOG_LEVEL: 'info' });
    t.after(() => serving.child.kill('SIGKILL'));
    return serving;
  };
  const countDone = async () =>
    (await db.selectFrom('bulkBatch').select('number').where('outcomes', 'is not', null).execute()).length;
  for (let kill = 1; kill <= 2; kill += 1) {
    const before = await countDone();
    const serving = await serve();
    await until(countDone, (done) => done >= before + 5);
    await serving.end('SIGKILL');
    assert.ok((await countDone()) < 80, 'The kill came too late to interrupt anything.');
  }

  const last = await serve();
  for (const job of jobs) {
    const { totalCount, successCount, failureCount, failedNpns } = await job.finished();
    assert.deepEqual([totalCount, successCount, failureCount, failedNpns.length], [10_000, 3_000, 7_000, 7_000]);
  }
  const onboarded = known.map(Number);
  assert.deepEqual(await rowsOf({ context: { db }, ...owner }, 'subscription'), onboarded);
  assert.deepEqual(await rowsOf({ context: { db }, ...owner }, 'onboardedProducer'), onboarded);
  assert.equal(await last.end('SIGTERM'), 0);
});

test('As many concurrent batches as connections do not wait for each other.', async (t) => {
  const connections = 2;
  const database = await testDatabase();
  t.after(() => database.stop());
  const keys = createKeys([randomBytes(32)]);
  const clock = () => new Date();
  await seedRegistry({ db: database.db, keys, clock }, { mode: 'test', count: 20, seed: 1, at: clock() });
  const npns = Array.from({ length: 20 }, (_, index) => syntheticNpn(1, index));
  const owner = await createOwner(database.db);
  const jobs = await Promise.all(npns.map((npn) => queueBulk(database.db, owner, [npn])));

  const logged: string[] = [];
  const log = createLogger('error', { write: (line) => void logged.push(line) });
  const db = openDatabase(database.url, { maxConnections: connections });
  t.after(() => db.destroy());
  const context = { db, registry: createTableRegistry(db, keys), clock, log };
  const workers = Array.from({ length: connections }, () => createBulkWorker(context));
  for (const worker of workers) worker.start();
  const finished = await Promise.all(jobs.map((job) => job.finished()));
  await Promise.all(workers.map((worker) => worker.stop()));

  assert.deepEqual(logged, []);
  assert.ok(finished.every(({ successCount }) => successCount === 1));
});
