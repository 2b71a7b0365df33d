import { sql, type Kysely } from 'kysely';

/** The number of requests by token and minute, of all instances together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Unlogged: after a crash of the database the counts start at zero, which costs less than durable
  // ones.
  await sql`create unlogged table request_count (
    minute timestamptz not null,
    token_hash bytea not null,
    count integer not null,
    primary key (minute, token_hash)
  )`.execute(db);
}
