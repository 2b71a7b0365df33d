import { sql, type Kysely } from 'kysely';

/**
 * The fee lines of an application as signed: fees may depend on the user's home state, which is
 * erased later. Also the method of a payment; existing rows are cards.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table application add column fee_lines jsonb`.execute(db);
  await sql`alter table payment add column method text not null default 'card'
    check (method in ('card', 'bankAccount'))`.execute(db);
}
