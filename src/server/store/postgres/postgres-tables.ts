import type { PostgresPool } from './postgres-pool.js';

/**
 * What each version of the tables adds. A version that was published is never changed: another one follows.
 *
 * `json`, not `jsonb`: texts of others may hold characters that `jsonb` refuses. Ids are compared byte by byte (`"C"`), so that
 * their order does not depend on the database.
 */
function versions(schema: string): string[] {
  return [
    `
    create table ${schema}.applications (
      application_id text collate "C" primary key,
      reference text collate "C" not null unique,
      user_id text collate "C" not null,
      created_at timestamptz not null,
      link json not null,
      is_open boolean not null default true,
      version integer not null default 0,
      state json,
      lease_holder text,
      lease_until timestamptz
    );
    create index applications_of_user on ${schema}.applications (user_id, created_at desc);
    create index open_applications on ${schema}.applications (application_id) where is_open;

    create table ${schema}.deliveries (
      application_id text collate "C" not null references ${schema}.applications on delete cascade,
      delivery_id text collate "C" not null,
      position bigint generated always as identity,
      type text not null,
      received_at text collate "C" not null,
      is_settled boolean not null default false,
      primary key (application_id, delivery_id)
    );
    create index deliveries_in_order on ${schema}.deliveries (application_id, position);
    create index unsettled_deliveries on ${schema}.deliveries (received_at) where not is_settled;

    create table ${schema}.facts (
      application_id text collate "C" not null references ${schema}.applications on delete cascade,
      fact_id text collate "C" not null,
      position bigint generated always as identity,
      fact json not null,
      primary key (application_id, fact_id)
    );`,
    // Of the sessions that followed the first one of an application.
    `
    create table ${schema}.later_references (
      reference text collate "C" primary key,
      application_id text collate "C" not null references ${schema}.applications on delete cascade
    );`,
  ];
}

/** Any number: it only has to be the same for all instances, and another one than those of your own locks. */
const lockOfMigrations = 7_246_311_905;

/** Creates or updates the tables, in one transaction; instances that start together wait for each other. */
export async function migrateTables(pool: PostgresPool, schema: string): Promise<void> {
  const connection = await pool.connect();
  let isBroken = true;
  try {
    await connection.query('begin');
    await connection.query('select pg_advisory_xact_lock($1)', [lockOfMigrations]);
    // Asked first: `if not exists` needs the permission to create even when there is nothing to create.
    const found = await connection.query('select to_regnamespace($1) is not null as exists', [schema]);
    if (!(found.rows as { exists: boolean }[])[0]?.exists) await connection.query(`create schema ${schema}`);
    await connection.query(
      `create table if not exists ${schema}.migrations (version integer primary key, applied_at timestamptz not null default now())`,
    );
    const { rows } = await connection.query(`select coalesce(max(version), 0) as version from ${schema}.migrations`);
    const done = (rows as { version: number }[])[0]?.version ?? 0;
    for (const [index, statements] of versions(schema).entries()) {
      if (index < done) continue;
      await connection.query(statements);
      await connection.query(`insert into ${schema}.migrations (version) values ($1)`, [index + 1]);
    }
    await connection.query('commit');
    isBroken = false;
  } finally {
    // In the middle of a failed transaction it is of no use to anybody: closing it rolls back.
    connection.release(isBroken);
  }
}
