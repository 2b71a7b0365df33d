import type { PaymentRefundRow } from '../../store/payments/payment-store.js';
import type { ApplicationStateRow } from '../../store/tables/tables.js';
import { applicationOf } from '../applications/committing-forms.js';
import type { ApplySession } from '../applications/session.js';
import { proposalContent, type RefundProposal } from '../second-person/proposals.js';
import type { CommittingForm } from '../shown/shown.js';

/** The payment, for the signature that it completes. */
export const paymentForm: CommittingForm<ApplySession> = {
  name: 'payment',
  contentOf: (session) => ({ ...applicationOf(session), signature: session.saved.review?.data }),
};

/** The payment of a further fee that a state asks for. */
export const furtherFeeForm: CommittingForm<ApplicationStateRow> = {
  name: 'furtherFee',
  contentOf: ({ applicationId, state, actionSerial: serial, reason, actionFeeCents: feeCents }) => ({
    applicationId,
    state,
    serial,
    reason,
    feeCents,
  }),
};

interface Refundable {
  payment: { id: string };
  refunds: readonly Pick<PaymentRefundRow, 'id' | 'problem'>[];
}

/** A refund of a captured payment, after the refunds that were requested before. */
export const refundForm: CommittingForm<Refundable> = {
  name: 'refund',
  contentOf: refundableOf,
};

/** The confirmation of a refund that another operator has proposed. */
export const refundConfirmationForm: CommittingForm<Refundable & { proposal: RefundProposal }> = {
  name: 'refundConfirmation',
  contentOf: ({ proposal, ...refundable }) => ({ ...refundableOf(refundable), ...proposalContent(proposal) }),
};

function refundableOf({ payment, refunds }: Refundable) {
  return { id: payment.id, refunds: refunds.map(({ id, problem }) => ({ id, problem })) };
}
