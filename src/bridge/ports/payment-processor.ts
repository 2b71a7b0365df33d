/**
 * Takes the fees. A port: an operator puts an adapter of their own processor behind it; test mode has a simulated one.
 *
 * The contract, which `licensing-apply/bridge/conformance` checks for any adapter:
 *
 * 1. `authorize` reserves the money after the user has signed. The same payment id twice is the same authorization, never a second
 *    one, however many calls run at once and whichever answers were lost.
 * 2. An outcome that is not known rejects. The bridge then asks `lookUp`, and asks again until it is told.
 * 3. Where the user has to do something on the processor's page (3-D Secure, or a page that asks for the card), the outcome is
 *    `redirect`. The page leads back to `returnUrl`. The parameters of the return are never trusted: `lookUp` decides.
 * 4. `capture` takes what was authorized, once it is filed. `void` releases it. `refund` gives back what was captured, also in parts. Each
 *    is idempotent: `capture` and `void` by payment id, `refund` by refund id. A call that cannot succeed resolves with `refused`; one
 *    that may succeed later rejects, and is repeated.
 * 5. In live mode no number of a card or a bank account reaches the bridge: they are asked for by the processor's own page, or by
 *    fields of its own that leave a token in the form.
 * 6. A bank account is `pending` until the bank has answered, which takes days. The processor's notification, or `lookUp`, tells.
 */
import type { Language, Mode } from '../../contract/index.js';

/** A card that was typed into a page of the bridge: test mode only. Lives only while it is checked; never stored, never logged. */
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

/** What a user pays with. */
export type PayingMethod = 'card' | 'bankAccount';

/** A bank account that was typed into a page of the bridge: as {@link Card}, test mode only. */
export interface BankAccount {
  /** 9 digits, the last of which fits the others. */
  routingNumber: string;
  /** 4–17 digits. */
  accountNumber: string;
  nameOnAccount: string;
}

/**
 * How the processor learns the card or the bank account.
 *
 * - `page`: its own page asks for it. The outcome is then `redirect`.
 * - `fields`: its fields in our page, in frames of its own, made a token of it.
 * - `typed`: a form of ours, whose numbers reach our process. Test mode only.
 */
export type PaymentSource =
  | { kind: 'page' }
  | { kind: 'fields'; token: string }
  | { kind: 'typed'; card: Card }
  | { kind: 'typed'; bankAccount: BankAccount };

/** Fields of the processor in our payment page. */
export interface ProcessorFields {
  /**
   * The URL of a module script of the processor or the operator. It fills the element `#payment-fields` and puts a token into the
   * field `#paymentToken` of the form before that is sent.
   */
  scriptUrl: string;
  /** The origins that the script needs besides its own, for frames and requests. */
  origins: readonly string[];
  /** The configuration of the script, in `data-config` of `#payment-fields`, such as a publishable key. It is public. */
  config: string;
}

/** One authorization. */
export interface AuthorizeRequest {
  /** The id of the payment: the same id twice is the same authorization. */
  paymentId: string;
  /** US cents, more than 0. */
  amountCents: number;
  mode: Mode;
  /** What the user finds on the statement. */
  description: string;
  method: PayingMethod;
  source: PaymentSource;
  /** Where the processor's page leads back to. It works for about an hour, and only shows what `lookUp` says. */
  returnUrl: string;
  /** The language of the user's pages. */
  language: Language;
}

/** Why a payment was declined, as far as the user can do something about it. */
export type DeclineReason = 'card_declined' | 'account_declined' | 'authentication_failed' | 'test_cards_only';

/** How an authorization stands. `pending`: the processor does not know yet; `lookUp` tells later. */
export type PaymentOutcome =
  | {
      status: 'authorized';
      reference: string;
      /** "" when it is not known, and of a bank account. */ cardLast4: string;
    }
  | { status: 'declined'; reference: string | null; reason: DeclineReason }
  | { status: 'redirect'; url: string }
  | { status: 'pending' };

/** Why the processor will never do what was asked. */
export type RefusalReason =
  'unknown_payment' | 'expired' | 'voided' | 'captured' | 'not_captured' | 'too_much' | 'other';

/** How a capture, a void or a refund ended. */
export type OperationOutcome = { status: 'done' } | { status: 'refused'; reason: RefusalReason };

/** A request that claims to come from the processor, as it arrived. */
export interface ProcessorNotification {
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** See the module's contract. */
export interface PaymentProcessor {
  /** Whether it takes payments in this mode. Live sessions in which the user pays are refused where none does. */
  serves(mode: Mode): boolean;
  /** What users may pay with. Default: a card only. */
  readonly methods?: readonly PayingMethod[];
  /** How the card or the bank account is asked for. `typed` is refused at start for a processor that serves live mode. */
  readonly cardEntry: PaymentSource['kind'];
  /** With `cardEntry: 'fields'`. */
  readonly fields?: ProcessorFields;
  /** Reserves the money. Rejects only when the outcome is not known. */
  authorize(request: AuthorizeRequest): Promise<PaymentOutcome>;
  /** How an authorization stands, however it was captured, voided or refunded later; `unknown` when it never arrived. */
  lookUp(paymentId: string, mode: Mode): Promise<PaymentOutcome | { status: 'unknown' }>;
  /** Takes what was authorized. */
  capture(request: { paymentId: string; amountCents: number; mode: Mode }): Promise<OperationOutcome>;
  /** Releases what was authorized and not captured. */
  void(request: { paymentId: string; mode: Mode }): Promise<OperationOutcome>;
  /** Gives back a part of what was captured, or all of it. */
  refund(request: { paymentId: string; refundId: string; amountCents: number; mode: Mode }): Promise<OperationOutcome>;
  /**
   * Reads which payment a notification is about, that comes to `POST {APPLY_URL}/payments/notifications`; `undefined` when it is none of
   * the processor's. A hint only: what it says of the payment is not used, the bridge looks it up.
   */
  readNotification?(notification: ProcessorNotification): Promise<string | undefined>;
}
