/**
 * A store in PostgreSQL 15 or later, for several instances of a backend. Takes a pool of the
 * package `pg`.
 *
 * ```ts
 * import { Pool } from 'pg';
 * import { postgresStore } from 'licensing-apply/server/postgres';
 *
 * // A server that vanishes closes no connection. Without these limits, requests would wait for minutes.
 * const limits = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 };
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL, ...limits });
 * pool.on('error', (error) => console.error(error.message)); // without it, a database that restarts ends your process
 * const store = postgresStore(pool);
 * await store.migrate(); // at the start of each instance, or once in your deployment
 * const licensing = createLicensingHandler({ ..., store });
 * ```
 *
 * Everything is in one table, `licensing_apply.records`. Its rows stay until you delete them.
 */
import type { ApplicationRecord, LicensingStore } from './store/licensing-store.js';
import { z } from 'zod';
import { parseGiven } from './configuration.js';
import { orUnavailable } from './store/store-unavailable-error.js';

export type { LicensingStore } from './store/licensing-store.js';

/** The methods of a pool of the package `pg` that the store uses. One connection is enough. */
export interface PostgresPool {
  /** Runs a statement on any connection; several statements without values, as one transaction. */
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  /** Schema of the table. Default: `licensing_apply`. */
  schema?: string;
}

/** A store in PostgreSQL. */
export interface PostgresStore extends LicensingStore {
  /**
   * Creates the schema and its table; does nothing when they are there. Needs the permission to
   * create tables in the schema, and to create the schema unless it is there.
   */
  migrate(): Promise<void>;
}

const optionsSchema = z.strictObject({
  // It is part of every statement.
  schema: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be a plain name: lower-case letters, digits and underscores')
    .optional(),
} satisfies Record<keyof PostgresStoreOptions, z.ZodType>);

/**
 * SQLSTATEs of a server that is unreachable, refuses the login, is read-only (a standby), undid the
 * transaction, has no resources (a full disk), is starting or stopping, or cannot read its files.
 */
const outageStates = /^(08...|28000|28P01|3D000|25006|55000|40001|40P01|53[0-4]00|57P0[1-5]|58...|XX00[12])$/;
/** Messages of `pg` without a code. */
const outageMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Any number that other advisory locks of the database do not use. The same for all instances. */
const migrationLock = 7_246_311_905;

/**
 * Creates a store in PostgreSQL 15 or later, for any number of instances. Call its `migrate` first.
 * Leave `synchronous_commit` on: acknowledged data must survive a crash.
 */
export function postgresStore(pool: PostgresPool, options: PostgresStoreOptions = {}): PostgresStore {
  parseGiven('postgresStore', optionsSchema, options);
  const { schema = 'licensing_apply' } = options;
  const table = `${schema}.records`;

  function query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    return orUnavailable(
      () => pool.query(text, values),
      (error, code) => outageStates.test(code) || (code === '' && outageMessages.test(error.message)),
    );
  }

  async function select(condition: string, ...values: unknown[]): Promise<ApplicationRecord[]> {
    // As text: the application may have changed how its driver parses JSON.
    const { rows } = await query(`select record::text as record from ${table} where ${condition}`, values);
    return (rows as { record: string }[]).map(({ record }) => JSON.parse(record) as ApplicationRecord);
  }

  return {
    async migrate() {
      // `create … if not exists` needs the permission to create even when there is nothing to do.
      const { rows } = await query('select to_regclass($1) is not null as "exists"', [table]);
      if ((rows as { exists: boolean }[])[0]?.exists !== true) await query(migration(schema));
    },
    // PostgreSQL refuses texts with NUL, so no record has such an id.
    get: async (id) => (id.includes('\0') ? undefined : (await select('id = $1', id))[0]),
    async put(record) {
      const { rows } = await query(record.version === 1 ? insertInto(table) : updateOf(table), [
        record.id,
        record.version,
        record.applicationId ?? null,
        record.userId,
        record.isOpen,
        record.supersededBy !== undefined,
        record.createdAt,
        JSON.stringify(record),
      ]);
      return rows.length === 1;
    },
    async byApplication(applicationId) {
      if (applicationId.includes('\0')) return undefined;
      const condition = 'application_id = $1 and not is_superseded order by created_at, id limit 1';
      return (await select(condition, applicationId))[0];
    },
    byUser: (userId, limit) =>
      select('user_id = $1 and not is_superseded order by created_at desc, id desc limit $2', userId, limit),
    listOpen: (after = '', limit) => select('is_open and id > $1 order by id limit $2', after, limit),
  };
}

function insertInto(table: string): string {
  return `
    insert into ${table} (id, version, application_id, user_id, is_open, is_superseded, created_at, record)
    values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning 1`;
}

function updateOf(table: string): string {
  return `
    update ${table} set version = $2, application_id = $3, user_id = $4, is_open = $5, is_superseded = $6, created_at = $7,
      record = $8
    where id = $1 and version = $2 - 1 returning 1`;
}

/**
 * One transaction; instances that start together wait for each other. `json`, not `jsonb`, which
 * refuses some characters that names of others may hold. The ids are compared byte by byte (`"C"`),
 * so that their order does not depend on the database.
 */
function migration(schema: string): string {
  return `
    select pg_advisory_xact_lock(${migrationLock});
    do $$ begin
      if to_regnamespace('${schema}') is null then create schema ${schema}; end if;
    end $$;
    create table if not exists ${schema}.records (
      id text collate "C" primary key,
      version integer not null,
      application_id text collate "C",
      user_id text collate "C" not null,
      is_open boolean not null,
      is_superseded boolean not null,
      created_at timestamptz not null,
      record json not null
    );
    create index if not exists records_of_application on ${schema}.records (application_id, created_at);
    create index if not exists records_of_user on ${schema}.records (user_id, created_at);
    create index if not exists open_records on ${schema}.records (id) where is_open;`;
}
