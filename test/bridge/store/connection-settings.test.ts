import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import {
  assertSettings,
  requiredSettings,
  settingsOfRole,
  withSettings,
} from '../../../src/bridge/store/connection-settings.js';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';

const settings = { schema: 'own', statementTimeoutSeconds: 7, idleTransactionTimeoutSeconds: 8 };
const plain = { schema: 'public', statementTimeoutSeconds: 0, idleTransactionTimeoutSeconds: 0 };

let database: TestDatabase;
before(async () => {
  database = await testDatabase({ migrated: false });
  // As an operator may have set them for other programs.
  for (const setting of [
    `default_transaction_isolation = 'serializable'`,
    `datestyle = 'German, DMY'`,
    'standard_conforming_strings = off',
  ]) {
    await sql`alter database ${sql.id(new URL(database.url).pathname.slice(1))} set ${sql.raw(setting)}`.execute(
      database.db,
    );
  }
});
after(() => database.stop());

function open(t: TestContext, url: string) {
  const db = openDatabase(url);
  t.after(() => db.destroy());
  return db;
}

async function shown(t: TestContext, url: string, ...names: string[]): Promise<unknown[]> {
  const db = open(t, url);
  const values: unknown[] = [];
  for (const name of names) {
    const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db);
    values.push(rows[0]?.value);
  }
  return values;
}

test('Settings are sent with each connection; those in the URL take precedence.', async (t) => {
  const names = ['search_path', 'statement_timeout', 'idle_in_transaction_session_timeout', 'geqo'];
  assert.deepEqual(await shown(t, withSettings(database.url, settings), ...names), ['own', '7s', '8s', 'on']);
  const url = new URL(database.url);
  url.searchParams.set('options', '-c geqo=off -c statement_timeout=9s');
  const own = url.href;
  assert.deepEqual(await shown(t, withSettings(own, settings), ...names), ['own', '9s', '8s', 'off']);
});

test('The settings that the bridge relies on take precedence over those of the database.', async (t) => {
  const names = ['default_transaction_isolation', 'DateStyle', 'standard_conforming_strings'];
  assert.deepEqual(await shown(t, database.url, ...names), ['serializable', 'German, DMY', 'off']);
  const url = withSettings(database.url, plain);
  assert.deepEqual(await shown(t, url, ...names), ['read committed', 'ISO, MDY', 'on']);
  await assertSettings(open(t, url));
});

test('Settings without a value are not sent, also to a socket.', () => {
  const socket = 'postgresql://bridge@/bridge?host=/run/postgresql';
  const options = (url: string) => new URLSearchParams(url.split('?')[1]).get('options') ?? '';
  assert.doesNotMatch(options(withSettings(socket, plain)), /search_path|timeout/);
  const url = withSettings(socket, { ...plain, schema: 'own' });
  assert.match(url, /^postgresql:\/\/bridge@\/bridge\?host=%2Frun%2Fpostgresql&options=\S+$/);
  assert.match(options(url), /read\\ committed -c .* -c search_path=own$/);
});

test('Without the sent settings, each wrong one is reported, with the place to change it.', async (t) => {
  const reported = await assertSettings(open(t, database.url)).then(
    () => '',
    (error: unknown) => (error as Error).message,
  );
  for (const [name, found, needed] of [
    ['default_transaction_isolation', 'serializable', 'read committed'],
    ['DateStyle', 'German, DMY', 'ISO'],
    ['standard_conforming_strings', 'off', 'on'],
  ] as const) {
    assert.ok(reported.includes(`${name} is "${found}", and the bridge needs "${needed}".`), reported);
  }
  assert.match(reported, /See "Settings" in docs\/bridge\/deploy\.md\.$/);
});

test('A database that cannot store every name is reported.', async (t) => {
  const name = `${new URL(database.url).pathname.slice(1)}_latin`;
  await sql`create database ${sql.id(name)} encoding 'LATIN1' template template0`.execute(database.db);
  const url = database.url.replace(/[^/]+$/, name);
  const db = openDatabase(withSettings(url, plain));
  t.after(async () => {
    await db.destroy();
    await sql`drop database ${sql.id(name)} with (force)`.execute(database.db);
  });
  await assert.rejects(assertSettings(db), /server_encoding is "LATIN1", and the bridge needs "UTF8"/);
});

test('The statements for a role correct every setting that is not of the database.', async (t) => {
  const role = `${new URL(database.url).pathname.slice(1)}_role`;
  await sql`create role ${sql.id(role)}`.execute(database.db);
  t.after(() => sql`drop role ${sql.id(role)}`.execute(database.db));
  for (const statement of settingsOfRole(role)) await sql.raw(statement).execute(database.db);
  const { rows } = await sql<{ kept: string[] }>`
    select setconfig as kept from pg_db_role_setting where setrole = ${role}::regrole`.execute(database.db);
  assert.equal(rows[0]?.kept.length, requiredSettings.length - 1);
});
