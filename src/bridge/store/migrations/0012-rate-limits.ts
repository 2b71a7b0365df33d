import { sql, type Kysely } from 'kysely';

/**
 * One table for all rate limits, with the columns that `rate-limiter-flexible` requires.
 * `request_count` and `login_failure` stay for instances of the previous version.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Unlogged: after a crash of the database the counts start at zero, which costs less than durable
  // ones. Free space in each page keeps the new version of a row beside the old one, because a hot
  // key is updated many times a second.
  await sql`create unlogged table rate_limit (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  ) with (fillfactor = 50)`.execute(db);
}
