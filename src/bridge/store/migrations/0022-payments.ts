import { sql, type Kysely } from 'kysely';

/**
 * A payment is authorized after the signature, captured when the application is filed, and can be
 * voided and refunded. The signature comes before the payment.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // `status` stays `accepted` for every payment that the processor accepted; the previous version
  // reads nothing else. In rows of the previous version `authorized_at` is null: it charged at
  // once, so they count as captured.
  `alter table payment
    add column authorized_at timestamptz,
    add column redirected_at timestamptz,
    add column capture_requested_at timestamptz,
    add column captured_at timestamptz,
    add column void_requested_at timestamptz,
    add column voided_at timestamptz,
    add column refunded_cents integer not null default 0,
    add column problem text`,
  `create table payment_refund (
    id text primary key,
    payment_id text not null references payment,
    amount_cents integer not null check (amount_cents > 0),
    actor text not null,
    requested_at timestamptz not null,
    refunded_at timestamptz,
    problem text
  )`,
  `create index payment_refund_payment on payment_refund (payment_id)`,
  `alter table application add column receipt_number text`,
  // Users whose next step was the payment sign first. The previous version still finds the payment
  // open.
  `update application set step = 'review' where step = 'payment' and submitted_at is null`,
];
