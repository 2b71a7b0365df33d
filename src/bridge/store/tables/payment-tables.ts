import type { Generated } from 'kysely';
import type { PayingMethod } from '../../ports/payment-processor.js';
import type { Json, Timestamp } from './column-types.js';

/** A try to pay. At most one per application is not declined: a second authorization is refused by a unique index. */
export interface PaymentTable {
  id: string;
  application_id: string;
  amount_cents: number;
  /** `accepted`: the processor said yes. What happened to the money since, the other columns say. */
  status: 'pending' | 'accepted' | 'declined';
  method: Generated<PayingMethod>;
  /** "" while it is not known, because the processor's own page asks for the card, and of a bank account, of which nothing is kept. */
  card_last4: string;
  /** What the processor calls it. */
  reference: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  /** When it was authorized; null also where a version before charged at once. */
  authorized_at: Timestamp | null;
  /** When the user was sent to the processor's page. */
  redirected_at: Timestamp | null;
  capture_requested_at: Timestamp | null;
  captured_at: Timestamp | null;
  void_requested_at: Timestamp | null;
  voided_at: Timestamp | null;
  /** What was given back, in cents. */
  refunded_cents: Generated<number>;
  /** Why the processor refused to capture or void, as a code of ours; null when it did not. */
  problem: string | null;
}

/** A part of a payment that is given back. */
export interface PaymentRefundTable {
  /** `ref_…`: the processor gives back once for an id. */
  id: string;
  payment_id: string;
  amount_cents: number;
  /** The actor who asked for it, as in the audit trail. */
  actor: string;
  requested_at: Timestamp;
  refunded_at: Timestamp | null;
  /** Why the processor refused, as a code of ours; null when it did not. */
  problem: string | null;
}

/** What the simulated processor of test mode knows. No money moves. */
export interface SimulatedPaymentTable {
  payment_id: string;
  status: 'authorized' | 'declined' | 'account_declined' | 'challenged' | 'test_cards_only' | 'authentication_failed';
  reference: string;
  card_last4: string;
  /** Until then it is pending. */
  answers_at: Timestamp;
  captured_cents: Generated<number>;
  is_voided: Generated<boolean>;
  /** Cents by refund id. */
  refunds: Json<Record<string, number>>;
}

/** The tables of payments. */
export interface PaymentTables {
  payment: PaymentTable;
  payment_refund: PaymentRefundTable;
  simulated_payment: SimulatedPaymentTable;
}
