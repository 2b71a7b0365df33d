import type { Generated } from 'kysely';
import type { StateCode } from '../../../contract/index.js';
import type { DeclineReason, PayingMethod } from '../../ports/payment-processor.js';
import type { Json, Timestamp } from './column-types.js';

/**
 * The status of a payment.
 *
 * - `pending`: written before the request to the processor; its result is not known yet.
 * - `authorized`: the money is held.
 * - `capturing`, `captured`: the capture was requested; the money was taken.
 * - `voiding`, `voided`: the release was requested; the money was released.
 * - `declined`: the processor declined it, or its user gave up.
 */
export type PaymentStatus = 'pending' | 'authorized' | 'capturing' | 'captured' | 'voiding' | 'voided' | 'declined';

/**
 * An attempt to pay the fees of an application, or a further fee that a state asked for. At most one
 * of each is pending or has money that is not being released: a unique index rejects a second
 * authorization.
 */
export interface PaymentTable {
  id: string;
  applicationId: string;
  /** The state of a further fee; null for the fees of the application. */
  state: StateCode | null;
  /** The request of that state that asks for the further fee; null for the fees. */
  serial: number | null;
  amountCents: number;
  status: PaymentStatus;
  method: Generated<PayingMethod>;
  /**
   * "" while it is unknown, because the processor's page asks for the card, and for a bank account,
   * of which nothing is stored.
   */
  cardLast4: string;
  /** The reference of the processor. */
  reference: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /** When it was authorized for its application; null when another payment had replaced it. */
  authorizedAt: Timestamp | null;
  /** The refunded amount, in cents. */
  refundedCents: Generated<number>;
  /**
   * The bridge's code for the reason why the processor refused to capture or void; null when it did
   * not.
   */
  problem: string | null;
  /** Why it was declined; null when it was not. */
  declineReason: DeclineReason | null;
  /** Whether the return from the processor's page leads to the application: not once its links were revoked. */
  leadsBack: Generated<boolean>;
}

/** A refund of a payment or a part of it. */
export interface PaymentRefundTable {
  /** `ref_…`: the processor refunds once per id. */
  id: string;
  paymentId: string;
  amountCents: number;
  /** The actor who requested it, as in the audit trail. */
  actor: string;
  requestedAt: Timestamp;
  refundedAt: Timestamp | null;
  /** The bridge's code for the reason why the processor refused; null when it did not. */
  problem: string | null;
}

/** A payment of the simulated processor of test mode. No money moves. */
export interface SimulatedPaymentTable {
  paymentId: string;
  status: 'authorized' | 'declined' | 'account_declined' | 'challenged' | 'test_cards_only' | 'authentication_failed';
  reference: string;
  cardLast4: string;
  /** The payment is pending until this time. */
  answersAt: Timestamp;
  capturedCents: Generated<number>;
  isVoided: Generated<boolean>;
  /** Cents by refund id. */
  refunds: Json<Record<string, number>>;
}

/** The tables of payments. */
export interface PaymentTables {
  payment: PaymentTable;
  paymentRefund: PaymentRefundTable;
  simulatedPayment: SimulatedPaymentTable;
}
