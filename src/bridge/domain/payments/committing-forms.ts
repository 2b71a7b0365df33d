import type { PaymentRefundRow } from '../../store/payments/payment-store.js';
import { applicationOf } from '../applications/committing-forms.js';
import type { ApplySession } from '../applications/session.js';
import type { CommittingForm } from '../shown/shown.js';

/** The payment, for the signature that it completes. */
export const paymentForm: CommittingForm<ApplySession> = {
  name: 'payment',
  contentOf: (session) => ({ ...applicationOf(session), signature: session.saved.review?.data }),
};

/** A refund of a captured payment, after the refunds that were requested before. */
export const refundForm: CommittingForm<{
  payment: { id: string };
  refunds: readonly Pick<PaymentRefundRow, 'id' | 'problem'>[];
}> = {
  name: 'refund',
  contentOf: ({ payment, refunds }) => ({
    id: payment.id,
    refunds: refunds.map(({ id, problem }) => ({ id, problem })),
  }),
};
