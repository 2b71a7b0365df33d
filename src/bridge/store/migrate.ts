import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Database } from './tables/typed-database.js';
import * as sessions from './migrations/0001-sessions.js';
import * as account from './migrations/0002-account.js';
import * as registry from './migrations/0003-registry.js';
import * as onboarding from './migrations/0004-onboarding.js';
import * as bulk from './migrations/0005-bulk.js';
import * as territories from './migrations/0006-territories.js';
import * as requestIds from './migrations/0007-request-ids.js';
import * as requestCounts from './migrations/0008-request-counts.js';
import * as renewals from './migrations/0009-renewals.js';
import * as secretKeys from './migrations/0010-secret-keys.js';
import * as erasure from './migrations/0011-erasure.js';
import * as resumedSessions from './migrations/0014-resumed-sessions.js';
import * as webhookStreams from './migrations/0018-webhook-streams.js';
import * as webhookSecrets from './migrations/0019-webhook-secrets.js';

/** All migrations in their order. Imported, not read from a folder, so that they are in the bundle. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-sessions': sessions,
  '0002-account': account,
  '0003-registry': registry,
  '0004-onboarding': onboarding,
  '0005-bulk': bulk,
  '0006-territories': territories,
  '0007-request-ids': requestIds,
  '0008-request-counts': requestCounts,
  '0009-renewals': renewals,
  '0010-secret-keys': secretKeys,
  '0011-erasure': erasure,
  '0014-resumed-sessions': resumedSessions,
  '0018-webhook-streams': webhookStreams,
  '0019-webhook-secrets': webhookSecrets,
};

/** Any constant: it only has to be the same in every process that migrates this database. */
const migrationLock = 4_108_152_019;

/** Brings the tables up to date. Any number of processes may call it at once: the first one works, the others wait. */
export async function migrate(db: Database): Promise<void> {
  await db.connection().execute(async (connection) => {
    // The migrator has a lock of its own, but makes the table for it before it holds it.
    await sql`select pg_advisory_lock(${migrationLock})`.execute(connection);
    try {
      const { error } = await createMigrator(db).migrateToLatest();
      if (error !== undefined)
        throw error instanceof Error ? error : new Error('The migration failed.', { cause: error });
    } finally {
      await sql`select pg_advisory_unlock(${migrationLock})`.execute(connection);
    }
  });
}

/** Whether every migration that this program knows has run. */
export async function isMigrated(db: Database): Promise<boolean> {
  const known = await createMigrator(db).getMigrations();
  return known.every((migration) => migration.executedAt !== undefined);
}

function createMigrator(db: Database): Migrator {
  return new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } });
}
