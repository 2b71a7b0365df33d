import { sql, type Kysely } from 'kysely';

/**
 * What an application cost, line by line, as it was signed: fees may depend on where the user lives, which is erased one day. And
 * how a payment was made; the rows before are cards.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table application add column fee_lines jsonb`.execute(db);
  await sql`alter table payment add column method text not null default 'card'
    check (method in ('card', 'bankAccount'))`.execute(db);
}
