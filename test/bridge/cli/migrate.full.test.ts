import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { createLogger, readEnvironment, startBridge } from '../../../src/bridge/index.js';
import { findPending } from '../../../src/bridge/store/migrate.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import { testDatabase } from '../../support/database.js';
import { runHere } from '../process.js';

const key = Buffer.alloc(32, 1).toString('base64');

const run = (variables: Record<string, string>, ...args: string[]) =>
  runHere(args, { BRIDGE_SECRET_KEY: key, ...variables });

function serve(t: TestContext, variables: Record<string, string>) {
  const environment = readEnvironment({ BRIDGE_PORT: '0', APPLY_PORT: '0', BRIDGE_SECRET_KEY: key, ...variables });
  const assets = { href: (name: string) => name, at: () => undefined };
  const started = startBridge(environment, { log: createLogger('silent'), assets });
  t.after(async () => (await started.catch(() => undefined))?.stop());
  return started;
}

async function setup(t: TestContext, options: { migrated: boolean } = { migrated: false }) {
  const database = await testDatabase(options);
  t.after(() => database.stop());
  return { ...database, variables: { DATABASE_URL: database.url } };
}

/** The migrations of a new database, and the tables of the jobs. */
async function allOf(db: Database): Promise<string[]> {
  return [...(await findPending(db)), 'jobs'];
}

test('migrate --dry-run prints the pending changes and makes none; migrate makes them once.', async (t) => {
  const { db, variables } = await setup(t);
  const dry = await run(variables, 'migrate', '--dry-run', '--json');
  const { pending } = JSON.parse(dry.out) as { pending: string[] };
  assert.deepEqual(pending, await allOf(db));
  const tables = await sql`select from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`.execute(
    db,
  );
  assert.equal(tables.rows.length, 0);

  assert.deepEqual(JSON.parse((await run(variables, 'migrate', '--json')).out), { done: pending });
  assert.deepEqual(await run(variables, 'migrate'), { code: 0, out: 'Nothing to do.\n', err: '' });
});

test('migrate needs no key, even in production, so its machine need not have one.', async (t) => {
  const { variables } = await setup(t);
  const without = { ...variables, NODE_ENV: 'production', BRIDGE_SECRET_KEY: '' };
  assert.equal((await run(without, 'migrate')).code, 0);
  assert.match((await run(without, 'agency', 'list')).err, /BRIDGE_SECRET_KEY: required in production/);
});

test('serve and every other command leave an old database unchanged and say what to run.', async (t) => {
  const { db, variables } = await setup(t);
  const missing = (await allOf(db)).join(', ');
  const message = new RegExp(
    `tables are not up to date \\(missing: ${missing}\\)\\. Run "licensing-bridge migrate"\\.`,
  );
  const listed = await run(variables, 'agency', 'list');
  assert.equal(listed.code, 1);
  assert.match(listed.err, message);
  await assert.rejects(serve(t, variables), message);
  const { rows } = await sql`select to_regclass('agency') as agency`.execute(db);
  assert.deepEqual(rows, [{ agency: null }]);

  await run(variables, 'migrate');
  assert.equal((await run(variables, 'agency', 'list')).code, 0);
});

test('A database with an older version of the job tables is reported.', async (t) => {
  const { db, variables } = await setup(t, { migrated: true });
  await sql`update pgboss.version set version = version - 1`.execute(db);
  assert.match((await run(variables, 'agency', 'list')).err, /missing: jobs/);
});

test('The tables of a newer version work with this version, which has nothing to migrate.', async (t) => {
  const { db, variables } = await setup(t, { migrated: true });
  await sql`insert into kysely_migration values ('9999-newer', '2030-01-01T00:00:00.000Z')`.execute(db);
  await sql`alter table agency add column newer text not null default 'x'`.execute(db);
  await sql`update pgboss.version set version = version + 1`.execute(db);
  assert.deepEqual(await run(variables, 'migrate'), { code: 0, out: 'Nothing to do.\n', err: '' });
  assert.equal((await run(variables, 'agency', 'create', '--name', 'Example')).code, 0);
  const { bridgeUrl } = await serve(t, variables);
  assert.equal((await fetch(`${bridgeUrl}/readyz`)).status, 200);
});

test('Two bridges with separate schemas in one database share nothing.', async (t) => {
  const { db, variables } = await setup(t, { migrated: true });
  const own = { ...variables, BRIDGE_SCHEMA: 'licensing' };
  assert.match((await run(own, 'agency', 'list')).err, /missing: 0001-[\w-]+, .*jobs\)/);
  await run(own, 'migrate');
  await run(own, 'agency', 'create', '--name', 'Example');
  assert.deepEqual((await run(variables, 'agency', 'list')).out, 'None.\n');
  assert.match((await run(own, 'agency', 'list')).out, /Example/);
  const { bridgeUrl } = await serve(t, own);
  assert.equal((await fetch(`${bridgeUrl}/readyz`)).status, 200);
  const { rows } = await sql<{ name: string }>`select table_schema as name from information_schema.tables
    where table_schema like 'licensing%' group by 1 order by 1`.execute(db);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['licensing', 'licensing_jobs'],
  );
});
