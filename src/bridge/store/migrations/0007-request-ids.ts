import { sql, type Kysely } from 'kysely';

/** Each event has the id of the request, job or command that caused it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_event add column request_id text`.execute(db);
}
