import { sql, type Kysely } from 'kysely';

/**
 * Creates an index without blocking writes to the table, for a migration outside a transaction.
 * Drops an invalid index that an interrupted build left behind.
 */
export async function createIndexConcurrently(db: Kysely<unknown>, name: string, on: string): Promise<void> {
  await dropIndexConcurrently(db, name);
  await sql`create index concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db);
}

/** Drops an index without blocking its table, for a migration outside a transaction. */
export async function dropIndexConcurrently(db: Kysely<unknown>, name: string): Promise<void> {
  await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
}
