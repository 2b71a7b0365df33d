/** The Checkout Session of a payment: created once, found again, and followed to its PaymentIntent. */
import Stripe from 'stripe';
import type { AuthorizeRequest, PaymentKey } from '../../ports/payment-processor.js';
import { assertOwnIntent, assertOwnSession, expandedIntent } from './outcomes.js';

/**
 * The lifetime of the page, in seconds. After an hour the bridge declines the payment, and the page
 * must not take it any more. Stripe's least is 30 minutes.
 */
const pageSeconds = 50 * 60;

/**
 * How far back a session without a known reference can be, in seconds: the lifetime of the page, and
 * a difference between the clocks.
 */
const recentSeconds = pageSeconds + 15 * 60;

const paymentMethodTypes = { card: 'card', bankAccount: 'us_bank_account' } as const;

/** Spanish as in the Americas. */
const locales = { en: 'en', es: 'es-419' } as const;

const charge = { expand: ['latest_charge'] };
const intentAndCharge = { expand: ['payment_intent.latest_charge'] };

/** Creates the session of a payment, or finds the one that an earlier call has created. */
export async function createSession(client: Stripe, request: AuthorizeRequest): Promise<Stripe.Checkout.Session> {
  const { paymentId } = request;
  try {
    const session = await client.checkout.sessions.create(pageOf(request), {
      idempotencyKey: `authorize-${paymentId}`,
    });
    // A repeated answer shows the session as it was when it was new.
    const isRepeated = session.lastResponse.headers['idempotent-replayed'] === 'true';
    return isRepeated ? await client.checkout.sessions.retrieve(session.id, intentAndCharge) : session;
  } catch (error) {
    // The call before was a second ago, so its `expires_at` was another one.
    const isSameKey = error instanceof Stripe.errors.StripeIdempotencyError;
    const session = isSameKey ? await findSession(client, { paymentId, reference: null }) : undefined;
    if (!session) throw error;
    return session;
  }
}

function pageOf(request: AuthorizeRequest): Stripe.Checkout.SessionCreateParams {
  const { paymentId, amountCents, description, method, language } = request;
  const product = { currency: 'usd', unit_amount: amountCents, product_data: { name: description } };
  return {
    mode: 'payment',
    client_reference_id: paymentId,
    line_items: [{ price_data: product, quantity: 1 }],
    allowed_payment_method_types: [paymentMethodTypes[method]],
    payment_intent_data: {
      description,
      metadata: { payment_id: paymentId },
      // Stripe refuses it for bank accounts, see stripe-processor.ts.
      ...(method === 'card' && { capture_method: 'manual' }),
    },
    success_url: request.returnUrl,
    cancel_url: request.cancelUrl,
    locale: locales[language],
    // Of the machine's clock, because Stripe compares it with its own.
    expires_at: Math.floor(Date.now() / 1_000) + pageSeconds,
    // Prices in other currencies would not be the fees of the states.
    adaptive_pricing: { enabled: false },
  };
}

/**
 * Finds the session of a payment; `undefined` when Stripe has none.
 *
 * @throws Error when the reference leads to the session of another payment.
 */
export async function findSession(
  client: Stripe,
  { paymentId, reference }: Pick<PaymentKey, 'paymentId' | 'reference'>,
): Promise<Stripe.Checkout.Session | undefined> {
  if (reference !== null) {
    const session = await client.checkout.sessions.retrieve(reference, intentAndCharge);
    assertOwnSession(session, paymentId);
    return session;
  }
  const since = Math.floor(Date.now() / 1_000) - recentSeconds;
  const expand = ['data.payment_intent.latest_charge'];
  for await (const session of client.checkout.sessions.list({ created: { gte: since }, limit: 100, expand })) {
    if (session.client_reference_id === paymentId) return session;
  }
  return undefined;
}

/**
 * Finds the PaymentIntent of a payment; `undefined` when the page was not paid.
 *
 * @throws Error when the reference leads to another payment.
 */
export async function findIntent(client: Stripe, key: PaymentKey): Promise<Stripe.PaymentIntent | undefined> {
  if (key.reference === null) return undefined;
  if (isIntentId(key.reference)) return retrieveIntent(client, { ...key, reference: key.reference });
  const intent = expandedIntent(await findSession(client, key));
  if (intent) assertOwnIntent(intent, key.paymentId);
  return intent;
}

/**
 * Reads the PaymentIntent to which a reference leads.
 *
 * @throws Error when it is of another payment.
 */
export async function retrieveIntent(
  client: Stripe,
  { paymentId, reference }: Pick<PaymentKey, 'paymentId'> & { reference: string },
): Promise<Stripe.PaymentIntent> {
  const intent = await client.paymentIntents.retrieve(reference, charge);
  assertOwnIntent(intent, paymentId);
  return intent;
}

/** Whether a reference is that of a PaymentIntent: the user has paid, and the page is closed. */
export function isIntentId(reference: string | null): reference is string {
  return reference?.startsWith('pi_') ?? false;
}
