import type { Mode } from '../../../contract/index.js';

/** A card as the user typed it. Lives only while the charge is under way: it is never stored and never logged. */
export interface Card {
  /** Digits only. */
  number: string;
  /** 1–12. */
  expiryMonth: number;
  /** Four digits. */
  expiryYear: number;
  securityCode: string;
  nameOnCard: string;
}

/** One charge. */
export interface ChargeRequest {
  /** The id of the payment row: the same id twice is the same charge, never a second one. */
  paymentId: string;
  amountCents: number;
  /** What the user finds on the statement. */
  description: string;
  card: Card;
}

/** Why a card was refused, as far as the user can do something about it. */
export type DeclineReason = 'card_declined' | 'test_cards_only';

/** How a charge ended. */
export type ChargeOutcome =
  { status: 'accepted'; reference: string } | { status: 'declined'; reference: string | null; reason: DeclineReason };

/** Takes the fees. A port: an operator puts their own processor behind it, test mode has a simulated one. */
export interface PaymentProcessor {
  /** Whether it takes payments in this mode. Where none does, the payment page says so. */
  serves(mode: Mode): boolean;
  /** Charges a card. Rejects only when the outcome is not known; {@link PaymentProcessor.lookUp} then tells. */
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** How a charge ended whose answer was lost: `pending` while it runs, `unknown` when it never arrived. */
  lookUp(paymentId: string): Promise<ChargeOutcome | { status: 'pending' } | { status: 'unknown' }>;
}
