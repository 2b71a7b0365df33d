import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { openEmbedded } from '../../../src/bridge/store/embedded/embedded.js';
import { stopPostmaster } from '../../../src/bridge/store/embedded/postgres-process.js';

async function setup(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-embedded-'));
  const cluster = join(folder, 'postgres');
  t.after(async () => {
    await stopPostmaster(cluster).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });
  return { folder, cluster, open: () => openEmbedded({ folder, durable: false }) };
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
