import { createHash, randomBytes } from 'node:crypto';
import { globSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrateJobs } from '../../src/bridge/service/jobs.js';
import type { Database } from '../../src/bridge/store/tables/typed-database.js';
import { openDatabase } from '../../src/bridge/store/database.js';
import { openEmbedded, type EmbeddedServer } from '../../src/bridge/store/embedded/embedded.js';
import { migrate } from '../../src/bridge/store/migrate.js';
import { stopPostmaster } from '../../src/bridge/store/embedded/postgres-process.js';

/** A separate database for a test, with empty tables. */
export interface TestDatabase {
  url: string;
  db: Database;
  stop(): Promise<void>;
}

const prefix = 'licensing-bridge-test-';

/** One folder per run: the test files of a run are processes with the same parent. */
const runFolder = process.env['TEST_DATABASE_FOLDER'] ?? join(tmpdir(), `${prefix}${process.ppid}`);

let users = 0;
let shared: Promise<EmbeddedServer> | undefined;

/**
 * Creates an empty database on the embedded server of this run. `TEST_DATABASE_URL` names another
 * server.
 */
export async function testDatabase(options: { migrated?: boolean } = {}): Promise<TestDatabase> {
  users += 1;
  const server = await (shared ??= openServer());
  const name = `test_${randomBytes(6).toString('hex')}`;
  const isMigrated = options.migrated ?? true;
  const template = isMigrated ? await (templates[server.url] ??= makeTemplate(server.url)) : 'template1';
  // By default, PostgreSQL copies page by page through its log, which takes four times as long.
  await onServer(server.url, `create database ${name} template ${template} strategy file_copy`);
  const url = urlOf(server.url, name);
  const db = openDatabase(url);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await db.destroy();
    await onServer(server.url, `drop database if exists ${name} with (force)`);
    users -= 1;
    if (users > 0) return;
    shared = undefined;
    await server.stop();
  };
  return { url, db, stop: () => (stopped ??= stop()) };
}

const templates: Record<string, Promise<string>> = {};
const migrationFiles = fileURLToPath(new URL('../../src/bridge/store/migrations/**/*.ts', import.meta.url));

/**
 * A migrated database that the tests of a server copy, because a copy is faster than the
 * migrations. The first process creates it.
 */
async function makeTemplate(serverUrl: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of globSync(migrationFiles).sort()) hash.update(readFileSync(file));
  const name = `template_${hash.digest('hex').slice(0, 12)}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(20231117)');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 1) return name;
    await client.query(`drop database if exists ${name}_new`);
    await client.query(`create database ${name}_new`);
    const databaseUrl = urlOf(serverUrl, `${name}_new`);
    const db = openDatabase(databaseUrl);
    await migrate(db);
    await db.destroy();
    await migrateJobs({ databaseUrl });
    await client.query(`alter database ${name}_new rename to ${name}`);
    return name;
  } finally {
    await client.end();
  }
}

function urlOf(serverUrl: string, database: string): string {
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  return address.href;
}

async function openServer(): Promise<EmbeddedServer> {
  const url = process.env['TEST_DATABASE_URL'];
  if (url !== undefined) return { url, stop: () => Promise.resolve() };
  await sweepOldRuns();
  return openEmbedded({ folder: runFolder, durable: false });
}

/** Removes the folders and servers of runs whose process is gone. */
async function sweepOldRuns(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    if (!isAlive(Number(name.slice(prefix.length)))) await removeOldRun(join(tmpdir(), name));
  }
}

async function removeOldRun(folder: string): Promise<void> {
  try {
    // A folder of another user, whose own runs remove it.
    if (statSync(folder).uid !== process.getuid?.()) return;
    await stopPostmaster(join(folder, 'postgres')).catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    // Concurrent runs remove the same folders: one may be gone already, or may get a file between
    // two calls.
    if (!['ENOENT', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
