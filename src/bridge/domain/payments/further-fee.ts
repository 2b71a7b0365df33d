import type { Language, StateCode } from '../../../contract/index.js';
import type { PayingMethod, PaymentOutcome } from '../../ports/payment-processor.js';
import { findApplicationStates } from '../../store/applications/application-store.js';
import { findNewestPayment, findOpenPayment } from '../../store/payments/payment-store.js';
import type { ApplicationRow, ApplicationStateRow } from '../../store/tables/tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { changeOpenAction, type RequestedAction } from '../applications/action.js';
import type { BridgeContext } from '../context.js';
import { assertAsShown } from '../shown/shown.js';
import {
  authorizeBegun,
  beginPayment,
  type BegunPayment,
  countingDeclines,
  type Paying,
  unsettled,
  type UnsettledPayment,
} from './authorize.js';
import { furtherFeeForm } from './committing-forms.js';
import { lookUpPayment } from './settle.js';

/*
 * A further fee: a state fee that was unknown at the submission, or that turned out higher. An
 * operator asks for it in a request of the state, and its payment is the answer. It is charged at
 * once, because the state waits for it.
 */

/**
 * The result of an attempt to pay a further fee.
 *
 * - `over`: the request is not open any more. It was paid, or the state has decided.
 * - `unavailable`: there is no payment processor in this mode.
 */
export type FurtherFeeResult = { status: 'over' | 'unavailable' } | UnsettledPayment;

/**
 * Pays the further fee that the request of a link asks for.
 *
 * @throws ChangedSinceShownError when the request or its fee are not those of the page.
 */
export async function payFurtherFee(
  context: BridgeContext,
  token: string,
  paying: Paying,
  language: Language,
): Promise<FurtherFeeResult> {
  const result = await countingDeclines<FurtherFeeResult>(context.limiter, paying, async () => {
    const begun = await changeOpenAction(context, token, (trx, application, state) =>
      begin(context, trx, { application, state, paying }),
    );
    if (begun?.status !== 'begun') return begun;
    const description = `License application fee, ${begun.state}`;
    return resultOf(await authorizeBegun(context, begun, paying, { language, description }), paying.method);
  });
  return result ?? { status: 'over' };
}

async function begin(
  context: BridgeContext,
  trx: DatabaseTransaction,
  { application, state, paying }: { application: ApplicationRow; state: ApplicationStateRow; paying: Paying },
): Promise<(BegunPayment & { state: string }) | FurtherFeeResult> {
  const { actionFeeCents: amountCents } = state;
  if (amountCents === null) return { status: 'over' };
  const processor = context.processorFor(application.mode);
  if (!processor) return { status: 'unavailable' };
  assertAsShown(context, furtherFeeForm, state, paying.shown);
  const existing = await findOpenPayment(trx, application.id, state);
  if (existing) return { status: 'pending', method: existing.method };
  const begun = await beginPayment(context, trx, paying, { application, amountCents, processor, request: state });
  return begun.status === 'begun' ? { ...begun, state: state.state } : begun;
}

/**
 * Finds the payment of a further fee, and looks a pending one up at the processor; `undefined` when
 * there is none. A declined one is the result until the user pays again.
 */
export async function readFurtherFee(
  context: BridgeContext,
  { application, state }: Pick<RequestedAction, 'application' | 'state'>,
): Promise<FurtherFeeResult | undefined> {
  const payment = await findOpenPayment(context.db, application.id, state);
  if (payment?.status === 'pending') return resultOf(await lookUpPayment(context, payment), payment.method);
  // It is being released: another payment is possible soon.
  if (payment) return { status: 'pending', method: payment.method };
  const newest = await findNewestPayment(context.db, application.id, state);
  if (newest?.status !== 'declined' || newest.declineReason === null) return undefined;
  return { status: 'declined', reason: newest.declineReason, method: newest.method };
}

function resultOf(outcome: PaymentOutcome, method: PayingMethod): FurtherFeeResult {
  return unsettled(outcome, method) ?? { status: 'over' };
}

/** What the open request of a state asks the user to pay, in cents; `undefined` when it asks for something else. */
export async function findRequestedFee(
  { db }: Pick<BridgeContext, 'db'>,
  applicationId: string,
  state: StateCode,
): Promise<number | undefined> {
  const rows = await findApplicationStates(db, applicationId);
  return rows.find((row) => row.state === state)?.actionFeeCents ?? undefined;
}
