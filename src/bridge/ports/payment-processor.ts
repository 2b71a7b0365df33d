/**
 * Charges the fees. A port for an adapter of the operator's payment processor; test mode has a
 * simulated one.
 *
 * The contract, which `licensing-bridge/conformance` checks for any adapter:
 *
 * 1. `authorize` reserves the money after the user has signed. The same payment id is the same
 *    authorization, never a second one, also for concurrent calls and after lost answers.
 * 2. An unknown result rejects. The bridge then polls `lookUp` until the result is known. After a
 *    lost answer it has no `reference`, so `lookUp` must find the payment by its id.
 * 3. When the user must continue on the processor's page (3-D Secure, or a page that asks for the
 *    card), the result is `redirect`. The page leads back to `returnUrl`, or to `cancelUrl` when the
 *    user leaves it without paying. The parameters of the return are never trusted: `lookUp`
 *    decides.
 * 4. `capture` takes what was authorized, once it is filed. `void` releases it. `refund` gives back
 *    what was captured, also in parts. Each is idempotent: `capture` and `void` by payment id,
 *    `refund` by refund id, also days later. A call that cannot succeed resolves with `refused`;
 *    one that may succeed later rejects, and is repeated.
 * 5. In live mode no number of a card or a bank account reaches the bridge: they are asked for by
 *    the processor's own page, or by the processor's fields, which put a token into the form.
 * 6. A bank account is `pending` until the bank has answered, which takes days. The processor's
 *    notification, or `lookUp`, tells. Where the processor takes the money of a bank account at
 *    once, `void` gives it back.
 */
import type { Language, Mode } from '../../contract/index.js';

/**
 * A card that was typed on a page of the bridge: test mode only. Kept only during the check; never
 * stored or logged.
 */
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

/** The payment method of a user. */
export type PayingMethod = 'card' | 'bankAccount';

/** A bank account that was typed on a page of the bridge: as {@link Card}, test mode only. */
export interface BankAccount {
  /** 9 digits, the last one a check digit. */
  routingNumber: string;
  /** 4–17 digits. */
  accountNumber: string;
  nameOnAccount: string;
}

/**
 * How the processor receives the card or the bank account.
 *
 * - `page`: on the processor's page. The result is then `redirect`.
 * - `fields`: in the processor's fields, in frames on the bridge's page, which return a token.
 * - `typed`: in a form of the bridge, which receives the numbers. Test mode only.
 */
export type PaymentSource =
  | { kind: 'page' }
  | { kind: 'fields'; token: string }
  | { kind: 'typed'; card: Card }
  | { kind: 'typed'; bankAccount: BankAccount };

/** The processor's fields on the payment page. */
export interface ProcessorFields {
  /**
   * The URL of a module script of the processor or the operator. It fills the element
   * `#payment-fields` and puts a token into the field `#paymentToken` of the form before that is
   * sent.
   */
  scriptUrl: string;
  /** Additional origins of the script, for frames and requests. */
  origins: readonly string[];
  /**
   * The configuration of the script, in `data-config` of `#payment-fields`, such as a publishable
   * key. It is public.
   */
  config: string;
}

/** One authorization. */
export interface AuthorizeRequest {
  /** The id of the payment, which identifies the authorization. */
  paymentId: string;
  /** US cents, more than 0. */
  amountCents: number;
  mode: Mode;
  /** The text on the user's statement. */
  description: string;
  method: PayingMethod;
  source: PaymentSource;
  /**
   * The return URL for the processor's page. It is valid for about an hour, and shows the result of
   * `lookUp`.
   */
  returnUrl: string;
  /** The URL for a user who leaves the processor's page without paying; otherwise as `returnUrl`. */
  cancelUrl: string;
  /** The language of the user's pages. */
  language: Language;
}

/** Identifies a payment for its processor. */
export interface PaymentKey {
  paymentId: string;
  mode: Mode;
  /**
   * The newest reference that the processor has returned for the payment; `null` while none has
   * arrived.
   */
  reference: string | null;
}

/**
 * The reason of a declined payment, as far as the user can act on it. `canceled`: the user left the
 * processor's page without paying.
 */
export type DeclineReason =
  'card_declined' | 'account_declined' | 'authentication_failed' | 'test_cards_only' | 'canceled';

/**
 * The result of an authorization. `pending`: not known yet; `lookUp` returns it later. `reference`
 * is the processor's id of the payment: the bridge keeps it, and passes it to every later call. It
 * may change from one result to the next.
 */
export type PaymentOutcome =
  | {
      status: 'authorized';
      reference: string;
      /** "" when it is unknown, and for a bank account. */ cardLast4: string;
    }
  | { status: 'declined'; reference: string | null; reason: DeclineReason }
  | { status: 'redirect'; url: string; reference?: string }
  | { status: 'pending'; reference?: string };

/** The reason of a permanent refusal. */
export type RefusalReason =
  'unknown_payment' | 'expired' | 'voided' | 'captured' | 'not_captured' | 'too_much' | 'other';

/** The result of a capture, a void or a refund. */
export type OperationOutcome = { status: 'done' } | { status: 'refused'; reason: RefusalReason };

/** An unverified request from the processor. */
export interface ProcessorNotification {
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** See the module's contract. */
export interface PaymentProcessor {
  /**
   * Whether it serves this mode. Without a processor, live sessions in which the user pays are
   * refused.
   */
  serves(mode: Mode): boolean;
  /** The accepted methods. Default: only cards. */
  readonly methods?: readonly PayingMethod[];
  /**
   * How the user enters the card or the bank account. `typed` is rejected at the start for a
   * processor that serves live mode.
   */
  readonly cardEntry: PaymentSource['kind'];
  /** Required with `cardEntry: 'fields'`. */
  readonly fields?: ProcessorFields;
  /** Reserves the money. Rejects only when the result is unknown. */
  authorize(request: AuthorizeRequest): Promise<PaymentOutcome>;
  /**
   * Resolves with the result of an authorization, regardless of later captures, voids and refunds;
   * `unknown` when it never arrived. One that the processor released by itself before the bridge
   * knew of it is `declined`.
   */
  lookUp(payment: PaymentKey): Promise<PaymentOutcome | { status: 'unknown' }>;
  /** Captures an authorized payment. */
  capture(request: PaymentKey & { amountCents: number }): Promise<OperationOutcome>;
  /** Releases an authorized payment that is not captured. */
  void(payment: PaymentKey): Promise<OperationOutcome>;
  /** Refunds a part of a captured payment, or all of it. */
  refund(request: PaymentKey & { refundId: string; amountCents: number }): Promise<OperationOutcome>;
  /**
   * Closes the processor's page of a payment that its user has left without paying, so that nobody
   * can pay there any more. `lookUp` then resolves with `declined`. Without effect on a payment with
   * a result: the user may have paid in another window. Default: the page stays open, and the user
   * is led there again until it expires.
   */
  closePage?(payment: PaymentKey): Promise<void>;
  /**
   * Returns the payment id of a notification to `POST {APPLY_URL}/payments/notifications`;
   * `undefined` when it is not from the processor. Only a hint: the bridge looks the payment up.
   */
  readNotification?(notification: ProcessorNotification): Promise<string | undefined>;
  /**
   * Tries the connection for `licensing-bridge check`, and changes nothing. Rejects when the adapter
   * cannot be used.
   */
  check?(): Promise<void>;
}
