import { sql, type Kysely } from 'kysely';

/**
 * Creates an index without holding up those who write into the table, for a migration outside a transaction. What an
 * interrupted build left behind is not valid and goes first.
 */
export async function createIndexConcurrently(db: Kysely<unknown>, name: string, on: string): Promise<void> {
  await dropIndexConcurrently(db, name);
  await sql`create index concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db);
}

/** Drops an index without holding up those who use its table, for a migration outside a transaction. */
export async function dropIndexConcurrently(db: Kysely<unknown>, name: string): Promise<void> {
  await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
}
