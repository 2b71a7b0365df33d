import { sql, type Kysely } from 'kysely';

/**
 * Creates an index without blocking writes to the table, for a migration outside a transaction.
 * Drops an invalid index that an interrupted build left behind.
 */
export async function createIndexConcurrently(db: Kysely<unknown>, name: string, on: string): Promise<void> {
  await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
  await sql`create index concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db);
}
