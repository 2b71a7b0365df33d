import type Stripe from 'stripe';
import type { DeclineReason, PaymentOutcome } from '../../ports/payment-processor.js';

/** Stripe's codes of a payment that 3-D Secure did not confirm. */
const authenticationCodes: readonly string[] = [
  'authentication_required',
  'payment_intent_authentication_failure',
  'payment_intent_action_required',
];

/**
 * The result of a payment by its Checkout Session. A card that was declined leaves the page open, so
 * that the user can enter another one there: the payment is declined when the page is closed.
 */
export function outcomeOfSession(session: Stripe.Checkout.Session): PaymentOutcome {
  const { id, status, url } = session;
  const intent = expandedIntent(session);
  if (status === 'expired') return { status: 'declined', reference: id, reason: declineReasonOf(intent) };
  if (status === 'open')
    return url === null ? { status: 'pending', reference: id } : { status: 'redirect', url, reference: id };
  return intent ? outcomeOfIntent(intent) : { status: 'pending', reference: id };
}

/** The result of a payment by the PaymentIntent of its completed Checkout Session. */
export function outcomeOfIntent(intent: Stripe.PaymentIntent): PaymentOutcome {
  const { id: reference, status } = intent;
  switch (status) {
    case 'requires_capture':
    case 'succeeded':
      return { status: 'authorized', reference, cardLast4: cardLast4Of(intent) };
    // After a bank account failed: Stripe asks for another one, but the user has left the page.
    case 'requires_payment_method':
    case 'canceled':
      return { status: 'declined', reference, reason: declineReasonOf(intent) };
    // The bank has not answered, or the user has to confirm small deposits.
    default:
      return { status: 'pending', reference };
  }
}

/** The PaymentIntent of a session; `undefined` before the user has paid. */
export function expandedIntent(session: Stripe.Checkout.Session | undefined): Stripe.PaymentIntent | undefined {
  return expandedOf(session?.payment_intent);
}

/** The charge of a PaymentIntent; `undefined` before the user has paid. */
export function latestCharge(intent: Stripe.PaymentIntent): Stripe.Charge | undefined {
  return expandedOf(intent.latest_charge);
}

/** Whether a bank account pays. */
export function isBankAccount({ payment_method_types: types }: Pick<Stripe.PaymentIntent, 'payment_method_types'>) {
  return types.includes('us_bank_account');
}

/**
 * A reference that leads to the session of another payment is a mistake, such as a database that
 * was restored next to another account.
 *
 * @throws Error when the session is of another payment.
 */
export function assertOwnSession({ client_reference_id: id }: Stripe.Checkout.Session, paymentId: string): void {
  if (id !== paymentId) throw new Error('Stripe returned the session of another payment.');
}

/** As {@link assertOwnSession}. @throws Error when the PaymentIntent is of another payment. */
export function assertOwnIntent({ metadata }: Stripe.PaymentIntent, paymentId: string): void {
  if (metadata['payment_id'] !== paymentId) throw new Error('Stripe returned another payment.');
}

function cardLast4Of(intent: Stripe.PaymentIntent): string {
  return latestCharge(intent)?.payment_method_details?.card?.last4 ?? '';
}

function declineReasonOf(intent: Stripe.PaymentIntent | undefined): DeclineReason {
  const code = intent?.last_payment_error?.code;
  if (!intent || code === undefined) return 'canceled';
  if (authenticationCodes.includes(code)) return 'authentication_failed';
  return isBankAccount(intent) ? 'account_declined' : 'card_declined';
}

/** Every request of the adapter expands what it reads, so an id is an object that was not expanded. */
function expandedOf<Value extends object>(value: Value | string | null | undefined): Value | undefined {
  if (typeof value === 'string') throw new Error('Stripe returned an id where an object was requested.');
  return value ?? undefined;
}
