import { after, before } from 'node:test';
import pg from 'pg';
import type { LicensingStore } from '../../../src/server/index.js';
import { postgresStore } from '../../../src/server/postgres.js';
import { redisStore } from '../../../src/server/redis.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { instanceSuite } from '../support/instance-suite.js';
import { testRedis, type TestRedis } from '../support/redis.js';

let redis: TestRedis;
let database: TestDatabase;
let groups = 0;
const stores: LicensingStore[] = [];
const pools: pg.Pool[] = [];

before(async () => {
  [redis, database] = await Promise.all([testRedis(), testDatabase({ migrated: false })]);
});
after(async () => {
  for (const store of stores) await store.close?.();
  for (const pool of pools) await pool.end();
  await redis.stop();
  await database.stop();
});

async function redisStores(): Promise<LicensingStore[]> {
  const prefix = `{group-${String((groups += 1))}}:`;
  const created = [await redis.client(), await redis.client()].map((client) => redisStore(client, { prefix }));
  stores.push(...created);
  return created;
}

async function postgresStores(): Promise<LicensingStore[]> {
  const schema = `group_${String((groups += 1))}`;
  const created = [1, 2].map(() => {
    const pool = new pg.Pool({ connectionString: database.url, max: 8 });
    // `end` does not wait until the server has heard of it: the database may be dropped first, and its connections with it.
    pool.on('error', () => undefined);
    pools.push(pool);
    return postgresStore(pool, { schema });
  });
  await Promise.all(created.map((store) => store.migrate()));
  stores.push(...created);
  return created;
}

instanceSuite('Redis', redisStores);
instanceSuite('PostgreSQL', postgresStores);
