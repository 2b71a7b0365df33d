import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../../../src/bridge/store/database.js';
import { openEmbedded } from '../../../src/bridge/store/embedded/embedded.js';
import { migrate } from '../../../src/bridge/store/migrate.js';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';

/** Creates a migrated database with this name, and opens it with two connections. */
export type CreateDatabase = (name: string) => Promise<Database>;

/** Runs a measurement with databases of its own on one embedded server, and removes them. */
export async function withDatabases<Result>(run: (create: CreateDatabase) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'licensing-bridge-bench-'));
  const server = await openEmbedded({ folder });
  const open: Database[] = [];
  try {
    return await run(async (name) => {
      const db = await createDatabase(server.url, name);
      open.push(db);
      return db;
    });
  } finally {
    for (const db of open) await db.destroy();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createDatabase(serverUrl: string, name: string): Promise<Database> {
  const first = openDatabase(serverUrl, { maxConnections: 1 });
  await sql`create database ${sql.id(name)}`.execute(first);
  await first.destroy();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const migrating = openDatabase(url.href);
  await migrate(migrating);
  await migrating.destroy();
  return openDatabase(url.href, { maxConnections: 2 });
}
