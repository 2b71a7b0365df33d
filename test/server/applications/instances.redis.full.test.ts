import { randomUUID } from 'node:crypto';
import { after, before } from 'node:test';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { openStore, type OpenedStore, type StoreLocation } from '../store/opened-stores.js';
import { instanceSuite } from '../support/instance-suite.js';
import { testRedis, type TestRedis } from '../support/redis.js';

const applications = Number(process.env['APPLICATIONS'] ?? 200);

let redis: TestRedis;
let database: TestDatabase;
const opened: OpenedStore[] = [];

before(async () => {
  [redis, database] = await Promise.all([testRedis({ isDurable: true }), testDatabase({ migrated: false })]);
});
after(async () => {
  for (const { close } of opened) await close();
  await redis.stop();
  await database.stop();
});

/** Opens a store twice, with separate connections. */
async function openTwice(location: StoreLocation) {
  // Sequential, because the first one migrates.
  const both = [await openStore(location), await openStore(location)];
  opened.push(...both);
  return both.map(({ store }) => store);
}

const unique = () => randomUUID().replaceAll('-', '_');

instanceSuite('Redis', () => openTwice({ kind: 'redis', url: redis.url, prefix: `{${unique()}}:` }), applications);
instanceSuite(
  'PostgreSQL',
  () => openTwice({ kind: 'postgres', url: database.url, schema: `instances_${unique()}`, connections: 4 }),
  applications,
);
