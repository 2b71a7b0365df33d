import Stripe from 'stripe';
import type { RefusalReason } from '../../ports/payment-processor.js';

/** Stripe's codes of requests that cannot succeed later. */
const refusals: Readonly<Record<string, RefusalReason>> = {
  charge_expired_for_capture: 'expired',
  capture_charge_authorization_expired: 'expired',
  amount_too_large: 'too_much',
  charge_already_refunded: 'too_much',
  charge_disputed: 'other',
  charge_not_refundable: 'other',
  refund_disputed_payment: 'other',
};

/** An error of a request to Stripe, with nothing of the request or the answer but a code. */
export class StripeFailure extends Error {
  override readonly name = 'StripeFailure';
  /**
   * Stripe's code, such as `resource_missing`, or that of the connection, such as `ECONNREFUSED`;
   * else the name of the library's error, such as `StripePermissionError`.
   */
  readonly code: string;

  constructor(code: string) {
    super(`A request to Stripe failed (${code}).`);
    this.code = code;
  }
}

/**
 * The error that leaves the adapter. Those of the library quote the request, and a few of them a part
 * of the key.
 */
export function toStripeFailure(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { detail } = error;
  const ofConnection = typeof detail === 'object' && 'code' in detail ? detail.code : undefined;
  return new StripeFailure(error.code ?? (typeof ofConnection === 'string' ? ofConnection : error.type));
}

/** The reason of a permanent refusal; `undefined` when a later request may succeed. */
export function refusalOf(error: unknown): RefusalReason | undefined {
  if (!(error instanceof Stripe.errors.StripeError)) return undefined;
  const known = error.code === undefined ? undefined : refusals[error.code];
  // The bank refuses to pay what it has authorized.
  return known ?? (error instanceof Stripe.errors.StripeCardError ? 'other' : undefined);
}

/** Whether a request failed because the payment has changed since it was read. */
export function isChangedState(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}
