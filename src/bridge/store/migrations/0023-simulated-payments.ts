import { sql, type Kysely } from 'kysely';
import { createIndexConcurrently } from '../concurrent-index.js';

/**
 * The records of the simulated processor of test mode, which all instances share and which survive
 * a restart. Also an index that finds an application by the number of its receipt.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table if not exists simulated_payment (
        payment_id text primary key,
        status text not null,
        reference text not null,
        card_last4 text not null,
        answers_at timestamptz not null,
        captured_cents integer not null default 0,
        is_voided boolean not null default false,
        refunds jsonb not null default '{}'
      )`,
    )
    .execute(db);
  await createIndexConcurrently(
    db,
    'application_receipt_number',
    'application (receipt_number) where receipt_number is not null',
  );
}

export const isInTransaction = false;
