/**
 * What changes a PaymentIntent: capture, void and refund. Each first reads what Stripe has, because
 * Stripe forgets idempotency keys after 24 hours, and jobs retry for days.
 */
import type Stripe from 'stripe';
import type { OperationOutcome, PaymentKey } from '../../ports/payment-processor.js';
import { findIntent } from './checkout-session.js';
import { isChangedState, refusalOf } from './failures.js';
import { isBankAccount, latestCharge } from './outcomes.js';

/** The mark of a bank account's payment that the bridge has captured. */
const captured = { captured: 'yes' };

/** Takes what was authorized; for a bank account, marks what was taken. */
export function capture(
  client: Stripe,
  { amountCents, ...key }: PaymentKey & { amountCents: number },
): Promise<OperationOutcome> {
  const once = { idempotencyKey: `capture-${key.paymentId}` };
  return operate(client, key, {
    decide: (intent) => decideCapture(intent, amountCents),
    send: ({ id, ...intent }) =>
      isBankAccount(intent)
        ? client.paymentIntents.update(id, { metadata: captured }, once)
        : client.paymentIntents.capture(id, { amount_to_capture: amountCents }, once),
  });
}

/** Releases what was authorized; for a bank account, returns what was taken. */
export function voidPayment(client: Stripe, key: PaymentKey): Promise<OperationOutcome> {
  const { paymentId } = key;
  return operate(client, key, {
    decide: decideVoid,
    send: ({ id, status }) =>
      status === 'succeeded'
        ? client.refunds.create(
            { payment_intent: id, metadata: { payment_id: paymentId } },
            { idempotencyKey: `give-back-${paymentId}` },
          )
        : client.paymentIntents.cancel(
            id,
            { cancellation_reason: 'abandoned' },
            { idempotencyKey: `void-${paymentId}` },
          ),
  });
}

/** Returns a part of what was captured. */
export function refund(
  client: Stripe,
  { refundId, amountCents, ...key }: PaymentKey & { refundId: string; amountCents: number },
): Promise<OperationOutcome> {
  const metadata = { payment_id: key.paymentId, refund_id: refundId };
  return operate(client, key, {
    async decide(intent) {
      if (!isCaptured(intent)) return refuse(intent.status === 'canceled' ? 'voided' : 'not_captured');
      const made = await findRefund(client, intent.id, refundId);
      if (made) return made.status === 'failed' || made.status === 'canceled' ? refuse('other') : done;
      return amountCents > refundableCents(intent) ? refuse('too_much') : undefined;
    },
    send: ({ id }) =>
      client.refunds.create(
        { payment_intent: id, amount: amountCents, metadata },
        { idempotencyKey: `refund-${key.paymentId}-${refundId}` },
      ),
  });
}

/** A change of a PaymentIntent. */
interface Operation {
  /** The outcome, when it was sent before or cannot succeed; `undefined` when it is to be sent. */
  decide(intent: Stripe.PaymentIntent): OperationOutcome | undefined | Promise<OperationOutcome | undefined>;
  send(intent: Stripe.PaymentIntent): Promise<unknown>;
}

const done: OperationOutcome = { status: 'done' };

function refuse(reason: Extract<OperationOutcome, { status: 'refused' }>['reason']): OperationOutcome {
  return { status: 'refused', reason };
}

async function operate(client: Stripe, key: PaymentKey, { decide, send }: Operation): Promise<OperationOutcome> {
  const intent = await findIntent(client, key);
  if (!intent) return refuse('unknown_payment');
  const decided = await decide(intent);
  if (decided) return decided;
  try {
    await send(intent);
    return done;
  } catch (error) {
    const reason = refusalOf(error);
    if (reason !== undefined) return refuse(reason);
    if (!isChangedState(error)) throw error;
    // Another instance was quicker, or the authorization has just expired.
    const changed = await findIntent(client, key);
    const outcome = changed && (await decide(changed));
    if (!outcome) throw error;
    return outcome;
  }
}

function decideCapture(intent: Stripe.PaymentIntent, amountCents: number): OperationOutcome | undefined {
  if (isCaptured(intent)) return done;
  if (isBankAccount(intent)) {
    if (intent.status !== 'succeeded') return refuse('other');
    if (isRefunded(intent)) return refuse('voided');
    return amountCents > intent.amount_received ? refuse('too_much') : undefined;
  }
  if (intent.status === 'canceled') return refuse(isExpired(intent) ? 'expired' : 'voided');
  if (intent.status !== 'requires_capture') return refuse('other');
  return amountCents > intent.amount_capturable ? refuse('too_much') : undefined;
}

function decideVoid(intent: Stripe.PaymentIntent): OperationOutcome | undefined {
  if (isCaptured(intent)) return refuse('captured');
  // The money of an expired authorization is free, too.
  const isFree = intent.status === 'canceled' || (intent.status === 'succeeded' && isRefunded(intent));
  return isFree ? done : undefined;
}

/** Whether the bridge has captured it: for a bank account, `succeeded` says only that it was paid. */
function isCaptured(intent: Stripe.PaymentIntent): boolean {
  if (intent.status !== 'succeeded') return false;
  return !isBankAccount(intent) || intent.metadata['captured'] === captured.captured;
}

function isRefunded(intent: Stripe.PaymentIntent): boolean {
  return refundableCents(intent) === 0;
}

function refundableCents(intent: Stripe.PaymentIntent): number {
  const made = latestCharge(intent);
  return made ? made.amount_captured - made.amount_refunded : 0;
}

/** Stripe's own cancellation: ours is `abandoned`, and people in the Dashboard choose other reasons. */
function isExpired({ cancellation_reason: reason }: Stripe.PaymentIntent): boolean {
  return reason === 'automatic' || reason === 'expired';
}

async function findRefund(client: Stripe, intentId: string, refundId: string): Promise<Stripe.Refund | undefined> {
  for await (const refund of client.refunds.list({ payment_intent: intentId, limit: 100 })) {
    if (refund.metadata?.['refund_id'] === refundId) return refund;
  }
  return undefined;
}
