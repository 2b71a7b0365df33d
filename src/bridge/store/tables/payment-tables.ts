import type { Generated } from 'kysely';
import type { DeclineReason, PayingMethod } from '../../ports/payment-processor.js';
import type { Json, Timestamp } from './column-types.js';

/**
 * An attempt to pay. At most one per application is not declined: a unique index rejects a second
 * authorization.
 */
export interface PaymentTable {
  id: string;
  application_id: string;
  amount_cents: number;
  /**
   * `accepted`: authorized by the processor. The other columns hold the later captures, voids and
   * refunds.
   */
  status: 'pending' | 'accepted' | 'declined';
  method: Generated<PayingMethod>;
  /**
   * "" while it is unknown, because the processor's page asks for the card, and for a bank account,
   * of which nothing is stored.
   */
  card_last4: string;
  /** The reference of the processor. */
  reference: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  /** When it was authorized. */
  authorized_at: Timestamp | null;
  /** When the user was sent to the processor's page. */
  redirected_at: Timestamp | null;
  capture_requested_at: Timestamp | null;
  captured_at: Timestamp | null;
  void_requested_at: Timestamp | null;
  voided_at: Timestamp | null;
  /** The refunded amount, in cents. */
  refunded_cents: Generated<number>;
  /**
   * The bridge's code for the reason why the processor refused to capture or void; null when it did
   * not.
   */
  problem: string | null;
  /** Why it was declined; null when it was not, or when it was released. */
  decline_reason: DeclineReason | null;
}

/** A refund of a payment or a part of it. */
export interface PaymentRefundTable {
  /** `ref_…`: the processor refunds once per id. */
  id: string;
  payment_id: string;
  amount_cents: number;
  /** The actor who requested it, as in the audit trail. */
  actor: string;
  requested_at: Timestamp;
  refunded_at: Timestamp | null;
  /** The bridge's code for the reason why the processor refused; null when it did not. */
  problem: string | null;
}

/** A payment of the simulated processor of test mode. No money moves. */
export interface SimulatedPaymentTable {
  payment_id: string;
  status: 'authorized' | 'declined' | 'account_declined' | 'challenged' | 'test_cards_only' | 'authentication_failed';
  reference: string;
  card_last4: string;
  /** The payment is pending until this time. */
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
