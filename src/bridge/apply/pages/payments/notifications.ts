import { lookUpPayment } from '../../../domain/payments/settle.js';
import type { PaymentProcessor, ProcessorNotification } from '../../../ports/payment-processor.js';
import { assertStorable } from '../../../pages/storable-text.js';
import { findPaymentById } from '../../../store/payments/payment-store.js';
import type { ApplyMiddleware, ApplyServices } from '../../page-context.js';

/** Larger than any notification of a processor. */
const maxNotificationBytes = 65_536;

/**
 * `POST /payments/notifications`: a notification of the processor about a payment. It is only a
 * hint, because its sender is not verified: the payment is looked up, and the response is the same
 * for an unknown payment. A failure is answered with 503, so that the processor sends it again.
 */
export function answerNotification({ context }: ApplyServices): ApplyMiddleware {
  return async function answer(c) {
    await context.limiter.take('pages', c.env.address);
    if (Number(c.req.header('content-length') ?? maxNotificationBytes + 1) > maxNotificationBytes) {
      return c.body(null, 413);
    }
    const notification = { headers: c.req.header(), body: await c.req.text() };
    const processors = new Set([context.processorFor('live'), context.processorFor('test')]);
    for (const processor of processors) {
      const paymentId = await readNotification(processor, notification);
      const payment = paymentId === undefined ? undefined : await findPaymentById(context.db, paymentId);
      // Also a declined one: it may have been authorized late.
      if (payment?.status !== 'pending' && payment?.status !== 'declined') continue;
      try {
        await lookUpPayment(context, payment);
      } catch (error) {
        context.log.warn({ err: error, paymentId }, 'A payment of a notification could not be looked up.');
        return c.body(null, 503);
      }
    }
    return c.body(null, 204);
  };
}

/** An adapter may throw on a notification that it does not recognize. */
async function readNotification(
  processor: PaymentProcessor | undefined,
  notification: ProcessorNotification,
): Promise<string | undefined> {
  try {
    const paymentId = await processor?.readNotification?.(notification);
    // Anyone can send a notification, so the id may be any text.
    assertStorable(paymentId ?? '');
    return paymentId;
  } catch {
    return undefined;
  }
}
