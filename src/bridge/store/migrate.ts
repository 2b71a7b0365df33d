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
import * as baseline from './migrations/0001-baseline.js';
import { inTransaction } from './transaction.js';

/** One step from one version of the tables to the next. */
export interface Migration {
  up(db: Kysely<unknown>): Promise<void>;
  /**
   * `false`: runs outside a transaction, and is repeated when it was interrupted. Default: true.
   */
  isInTransaction?: boolean;
}

/** All migrations in order. Imported, not read from a folder, so that the bundle contains them. */
const known: Readonly<Record<string, Migration>> = { '0001-baseline': baseline };

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
  /** Records the names of all work done, in the transaction that holds the lock. */
  record?: (guard: Database, names: readonly string[]) => Promise<void>;
  /** For tests. Default: all migrations of this version. */
  migrations?: Readonly<Record<string, Migration>>;
}

/**
 * Updates the tables. Several processes may call it at once: the first one runs the migrations, the
 * others wait. Resolves with the names of the migrations that this call ran.
 */
export async function migrate(
  db: Database,
  { schema, migrations = known, also, record }: MigrateOptions = {},
): Promise<string[]> {
  for (;;) {
    const done = await inTransaction(db, async (guard) => {
      // A literal, not a parameter: the portal of a statement with parameters stays open and keeps
      // its snapshot. The building of an index would wait for that snapshot while this transaction
      // waits for the index.
      const { rows } = await sql<{ isOurs: boolean }>`
        select pg_try_advisory_xact_lock(${sql.lit(migrationLock)}) as is_ours`.execute(guard);
      // Otherwise the server would end this transaction, which is idle while another connection
      // works.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(guard);
      if (rows[0]?.isOurs !== true) return undefined;
      // Migrations use the names of SQL as they are.
      const ran = await run(db.withoutPlugins(), schema, migrations);
      const names = [...ran, ...((await also?.()) ?? [])];
      await record?.(guard, names);
      return names;
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
    await inTransaction(db, async (trx) => {
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
