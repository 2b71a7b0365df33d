import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createBulkWorker } from '../../../src/bridge/bulk/worker.js';
import { createKeys } from '../../../src/bridge/domain/keys/keys.js';
import { createLogger } from '../../../src/bridge/log.js';
import { seedRegistry } from '../../../src/bridge/registry/seed-registry.js';
import { createTableRegistry } from '../../../src/bridge/registry/table-registry.js';
import { syntheticNpn } from '../../../src/bridge/registry/synthetic/producer.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { testDatabase } from '../../support/database.js';
import { createOwner, queueBulk } from './queued-job.js';

test('As many concurrent batches as connections do not wait for each other.', async (t) => {
  const connections = 2;
  const database = await testDatabase();
  t.after(() => database.stop());
  const keys = createKeys(randomBytes(32));
  const clock = () => new Date();
  await seedRegistry({ db: database.db, keys }, { mode: 'test', count: 20, seed: 1, at: clock() });
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
