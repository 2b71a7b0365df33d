import type Stripe from 'stripe';
import type { Mode } from '../../../contract/index.js';

/** The client of one mode, and the secret of its notifications. */
export interface Account {
  client: Stripe;
  webhookSecret: string | undefined;
}

/** The age at which a notification is too old, in seconds: a recorded one could be sent again. */
const toleranceSeconds = 300;

/** The events that may change the result of a payment. Every other one is ignored. */
const followedEvents: readonly string[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
];

/** Reads the payment id of a signed event of this mode; `undefined` for every other request. */
export function readEvent(
  { client, webhookSecret }: Account,
  mode: Mode,
  { signature, body }: { signature: string | undefined; body: string },
): string | undefined {
  if (webhookSecret === undefined || signature === undefined) return undefined;
  let event: Stripe.Event;
  try {
    event = client.webhooks.constructEvent(body, signature, webhookSecret, toleranceSeconds);
  } catch {
    return undefined;
  }
  if (event.livemode !== (mode === 'live') || !followedEvents.includes(event.type)) return undefined;
  return (event.data.object as Stripe.Checkout.Session).client_reference_id ?? undefined;
}
