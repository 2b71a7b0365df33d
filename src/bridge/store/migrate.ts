/**
 * Updates the tables, one migration after the other, each in a separate transaction:
 *
 * 1. A guard transaction holds an advisory lock until the end. It is not a session lock, because
 *    behind PgBouncer in transaction mode the next statement may run in another session. Other
 *    processes retry instead of waiting in the database, because a waiting statement would delay
 *    the building of an index.
 * 2. The table `kysely_migration` lists the migrations that have run. Unknown names in it are of a
 *    newer version. Migrations only add to the tables, so this version also works on the newer
 *    tables.
 * 3. A migration that must not block the service (an index on a large table) runs outside a
 *    transaction, and can be repeated.
 */
import { setTimeout } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
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
import * as rateLimits from './migrations/0012-rate-limits.js';
import * as audit from './migrations/0013-audit.js';
import * as resumedSessions from './migrations/0014-resumed-sessions.js';
import * as wordings from './migrations/0015-wordings.js';
import * as retention from './migrations/0016-retention.js';
import * as auditRetention from './migrations/0017-audit-retention.js';
import * as webhookStreams from './migrations/0018-webhook-streams.js';
import * as webhookSecrets from './migrations/0019-webhook-secrets.js';
import * as catalogue from './migrations/0020-catalogue.js';
import * as payments from './migrations/0022-payments.js';
import * as simulatedPayments from './migrations/0023-simulated-payments.js';
import * as documents from './migrations/0025-documents.js';
import * as filings from './migrations/0026-filings.js';
import * as operators from './migrations/0027-operators.js';
import * as consoleLists from './migrations/0028-console-lists.js';
import * as wrongDigits from './migrations/0029-wrong-digits.js';
import * as unusedIndex from './migrations/0030-unused-index.js';
import * as documentKinds from './migrations/0031-document-kinds.js';
import * as feeLines from './migrations/0032-fee-lines.js';
import * as declineReasons from './migrations/0033-decline-reasons.js';

/** One step from one version of the tables to the next. */
export interface Migration {
  up(db: Kysely<unknown>): Promise<void>;
  /**
   * `false`: runs outside a transaction, and is repeated when it was interrupted. Default: true.
   */
  isInTransaction?: boolean;
}

/** All migrations in order. Imported, not read from a folder, so that the bundle contains them. */
const known: Readonly<Record<string, Migration>> = {
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
  '0012-rate-limits': rateLimits,
  '0013-audit': audit,
  '0014-resumed-sessions': resumedSessions,
  '0015-wordings': wordings,
  '0016-retention': retention,
  '0017-audit-retention': auditRetention,
  '0018-webhook-streams': webhookStreams,
  '0019-webhook-secrets': webhookSecrets,
  '0020-catalogue': catalogue,
  '0022-payments': payments,
  '0023-simulated-payments': simulatedPayments,
  '0025-documents': documents,
  '0026-filings': filings,
  '0027-operators': operators,
  '0028-console-lists': consoleLists,
  '0029-wrong-digits': wrongDigits,
  '0030-unused-index': unusedIndex,
  '0031-document-kinds': documentKinds,
  '0032-fee-lines': feeLines,
  '0033-decline-reasons': declineReasons,
};

/** Any constant that is the same in every process that migrates this database. */
const migrationLock = 4_108_152_019;
const tryAgainMs = 100;

/** Options of a migration. */
export interface MigrateOptions {
  /** A schema to create when it does not exist. Default: none. */
  schema?: string;
  /**
   * Further work under the same lock, such as the schema of the jobs. Resolves with the names of
   * the work done.
   */
  also?: () => Promise<string[]>;
  /** For tests. Default: all migrations of this version. */
  migrations?: Readonly<Record<string, Migration>>;
}

/**
 * Updates the tables. Several processes may call it at once: the first one runs the migrations, the
 * others wait. Resolves with the names of the migrations that this call ran.
 */
export async function migrate(
  db: Database,
  { schema, migrations = known, also }: MigrateOptions = {},
): Promise<string[]> {
  for (;;) {
    const done = await db.transaction().execute(async (guard) => {
      // A literal, not a parameter: the portal of a statement with parameters stays open and keeps
      // its snapshot. The building of an index would wait for that snapshot while this transaction
      // waits for the index.
      const { rows } = await sql<{ isOurs: boolean }>`
        select pg_try_advisory_xact_lock(${sql.lit(migrationLock)}) as "isOurs"`.execute(guard);
      // Otherwise the server would end this transaction, which is idle while another connection
      // works.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(guard);
      if (rows[0]?.isOurs !== true) return undefined;
      const ran = await run(db, schema, migrations);
      return [...ran, ...((await also?.()) ?? [])];
    });
    if (done !== undefined) return done;
    await setTimeout(tryAgainMs);
  }
}

/** The names of the migrations that have not run yet, in their order. */
export async function findPending(db: Database, migrations = known): Promise<string[]> {
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regclass('kysely_migration') is not null as "isThere"`.execute(db);
  if (rows[0]?.isThere !== true) return Object.keys(migrations);
  const { rows: executed } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const names = new Set(executed.map(({ name }) => name));
  return Object.keys(migrations).filter((name) => !names.has(name));
}

async function run(
  db: Database,
  schema: string | undefined,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string[]> {
  if (schema !== undefined) await createSchema(db, schema);
  await sql`create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    db,
  );
  const pending = await findPending(db, migrations);
  for (const name of pending) {
    const migration = migrations[name];
    if (migration === undefined) continue;
    const { up, isInTransaction = true } = migration;
    if (!isInTransaction) await up(db as unknown as Kysely<unknown>);
    await db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = 0`.execute(trx);
      if (isInTransaction) await up(trx as unknown as Kysely<unknown>);
      const ranAt = new Date().toISOString();
      await sql`insert into kysely_migration (name, timestamp) values (${name}, ${ranAt})`.execute(trx);
    });
  }
  return pending;
}

/** Not `if not exists`: it needs the right to create schemas even when the schema exists. */
async function createSchema(db: Database, schema: string): Promise<void> {
  const { rows } = await sql`select from pg_namespace where nspname = ${schema}`.execute(db);
  if (rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(db);
}
