import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { withSettings } from '../../../src/bridge/store/connection-settings.js';
import { openEmbedded } from '../../../src/bridge/store/embedded/embedded.js';
import { stopPostmaster } from '../../../src/bridge/store/embedded/postgres-process.js';

async function setup(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-embedded-'));
  const cluster = join(folder, 'postgres');
  t.after(async () => {
    await stopPostmaster(cluster).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });
  const fatalLines = async () => (await readFile(join(folder, 'postgres.log'), 'utf8')).split('FATAL:').length - 1;
  return { folder, cluster, fatalLines, open: () => openEmbedded({ folder, durable: false }) };
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

test('The server starts in a folder that only its owner may enter, keeps its data and stops with its last user.', async (t) => {
  const { cluster, open } = await setup(t);
  const first = await open();
  const second = await open();
  assert.equal(first.url, second.url);
  await query(first.url, 'create table kept as select 1 as one');
  await first.stop();
  assert.deepEqual(await query(second.url, 'select one from kept'), [{ one: 1 }]);
  await Promise.all([second.stop(), second.stop()]);
  assert.equal(existsSync(join(cluster, 'postmaster.pid')), false);

  const third = await open();
  assert.deepEqual(await query(third.url, 'select one from kept'), [{ one: 1 }]);
  await third.stop();
});

test('Of several concurrent first starts, one creates the server and all share it.', async (t) => {
  const { open } = await setup(t);
  const servers = await Promise.all([open(), open(), open()]);
  assert.equal(new Set(servers.map(({ url }) => url)).size, 1);
  await Promise.all(servers.map((server) => server.stop()));
});

test('The server listens on loopback only, with a password that only its owner may read.', async (t) => {
  const { cluster, open } = await setup(t);
  const server = await open();
  assert.deepEqual(await query(server.url, 'show listen_addresses'), [{ listen_addresses: '127.0.0.1' }]);
  assert.equal((await stat(join(cluster, 'bridge-password'))).mode & 0o777, 0o600);
  const { password } = new URL(server.url);
  assert.ok(password.length >= 43);
  await assert.rejects(query(server.url.replace(password, 'guess'), 'select 1'), { code: '28P01' });
  await server.stop();
});

test('A postmaster.pid whose process is now another program does not prevent the start.', async (t) => {
  const { cluster, open } = await setup(t);
  await (await open()).stop();
  const lines = [String(process.pid), cluster, '1', '5432', '', '127.0.0.1', '', 'ready', ''];
  await writeFile(join(cluster, 'postmaster.pid'), lines.join('\n'));
  const server = await open();
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
  await server.stop();
});

test('The log of the server contains no values of refused rows.', async (t) => {
  const { folder, open } = await setup(t);
  const server = await open();
  await query(server.url, 'create table once (name text primary key)');
  await query(server.url, `insert into once values ('canary')`);
  await assert.rejects(query(server.url, `insert into once values ('canary')`), { code: '23505' });
  await server.stop();
  const log = await readFile(join(folder, 'postgres.log'), 'utf8');
  assert.match(log, /duplicate key/);
  assert.doesNotMatch(log, /canary/);
});

test('A folder that its group may write, as on a volume of Kubernetes, is closed to the group and used.', async (t) => {
  const { cluster, open } = await setup(t);
  await (await open()).stop();
  await chmod(cluster, 0o2770);
  const server = await open();
  assert.equal((await stat(cluster)).mode & 0o777, 0o700);
  await server.stop();
});

test('Files of another PostgreSQL are refused with both versions and what to do, after two starts.', async (t) => {
  const { cluster, fatalLines, open } = await setup(t);
  await (await open()).stop();
  const before = await fatalLines();
  const own = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  await writeFile(join(cluster, 'PG_VERSION'), '12\n');
  await assert.rejects(
    open(),
    new RegExp(`are of PostgreSQL 12, and this bridge has PostgreSQL ${own}\\..*pg_dump.*BRIDGE_DATA_DIR to a new`),
  );
  assert.equal((await fatalLines()) - before, 2);
});

test("A server that cannot start is started twice, and the error has PostgreSQL's reason.", async (t) => {
  const { cluster, folder, fatalLines, open } = await setup(t);
  await (await open()).stop();
  const before = await fatalLines();
  await rename(join(cluster, 'postgresql.conf'), join(folder, 'postgresql.conf'));
  await writeFile(join(cluster, 'postgresql.conf'), 'shared_buffers = many\n');
  await assert.rejects(open(), (error: Error) => {
    assert.match(error.message, /did not start\. PostgreSQL says: .*postgresql\.conf.* Its log is .*postgres\.log\./);
    return true;
  });
  assert.equal((await fatalLines()) - before, 2);

  await rename(join(folder, 'postgresql.conf'), join(cluster, 'postgresql.conf'));
  await (await open()).stop();
});

test('Variables for another PostgreSQL do not affect the server or its connections.', async (t) => {
  const { open } = await setup(t);
  const foreign = {
    PGHOST: 'db.example',
    PGPORT: '1',
    PGUSER: 'nobody',
    PGPASSWORD: 'nothing',
    PGDATABASE: 'none',
    PGDATA: '/nowhere',
    PGSERVICE: 'other',
    PGSSLMODE: 'verify-full',
    PGSSLNEGOTIATION: 'direct',
    PGOPTIONS: '-c default_transaction_read_only=on',
    PGCLIENT_ENCODING: 'LATIN1',
    PGREPLICATION: 'database',
    PGBINARY: 'true',
    PGTZ: 'Asia/Tokyo',
  };
  const settings = { schema: 'public', statementTimeoutSeconds: 0, idleTransactionTimeoutSeconds: 0 };
  for (const [name, value] of Object.entries(foreign)) {
    process.env[name] = value;
    try {
      const server = await open();
      for (const url of [server.url, withSettings(server.url, settings)]) {
        const [row] = await query(
          url,
          `select current_setting('default_transaction_read_only') as "readOnly",
             current_setting('client_encoding') as encoding, current_setting('timezone') as zone, 'ñ' as letter`,
        );
        assert.deepEqual(row, { readOnly: 'off', encoding: 'UTF8', zone: 'UTC', letter: 'ñ' }, name);
      }
      await server.stop();
    } finally {
      Reflect.deleteProperty(process.env, name);
    }
  }
});
