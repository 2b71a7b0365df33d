import { type ExpressionBuilder, type NotNull, type Selectable, sql } from 'kysely';
import type { StateCode } from '../../../contract/index.js';
import { ownedBy } from '../owner.js';
import type { ApplicationRow, ApplicationStateRow } from '../tables/tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { PaymentRefundTable, PaymentStatus, PaymentTable, PaymentTables } from '../tables/payment-tables.js';

/** A row of `payment` as it is read. */
export type PaymentRow = Selectable<PaymentTable>;

/** A row of `payment_refund` as it is read. */
export type PaymentRefundRow = Selectable<PaymentRefundTable>;

/** The request of a state that a further fee is for. */
export type FeeRequest = Pick<ApplicationStateRow, 'state' | 'actionSerial'>;

/** The payments of the fees of an application, or of a further fee. */
function isFor(request: FeeRequest | undefined) {
  return ({ eb, and }: ExpressionBuilder<PaymentTables, 'payment'>) =>
    request === undefined
      ? eb('payment.state', 'is', null)
      : and([eb('payment.state', '=', request.state), eb('payment.serial', '=', request.actionSerial)]);
}

/**
 * Finds the open payment of an application: the one that is pending or has money. Else one that is
 * being released, which the user waits for before another payment.
 *
 * @param request The request of a further fee. Default: the fees of the application.
 */
export function findOpenPayment(
  db: Database,
  applicationId: string,
  request?: FeeRequest,
): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('payment')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where(isFor(request))
    .where('status', 'not in', ['declined', 'voided'])
    .orderBy(({ eb }) => eb('status', '=', 'voiding'))
    .limit(1)
    .executeTakeFirst();
}

/**
 * Finds the payment of the fees of an application that was authorized last, also when it was
 * released since.
 */
export function findAuthorizedPayment(db: Database, applicationId: string) {
  return db
    .selectFrom('payment')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where(isFor(undefined))
    .where('authorizedAt', 'is not', null)
    .$narrowType<{ authorizedAt: NotNull }>()
    .orderBy('authorizedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** A payment as {@link findAuthorizedPayment} finds it. */
export type AuthorizedPaymentRow = NonNullable<Awaited<ReturnType<typeof findAuthorizedPayment>>>;

/** Whether the answer to a request of a state was the payment of a further fee. */
export async function isPaidRequest(
  db: Database,
  { applicationId, state, serial }: { applicationId: string; state: StateCode; serial: number },
): Promise<boolean> {
  const paid = await db
    .selectFrom('payment')
    .select('id')
    .where('applicationId', '=', applicationId)
    .where(isFor({ state, actionSerial: serial }))
    .where('authorizedAt', 'is not', null)
    .executeTakeFirst();
  return paid !== undefined;
}

/** Finds the further fees of an application that were paid, oldest first. */
export function findFurtherFees(db: Database, applicationId: string) {
  return db
    .selectFrom('payment')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where('state', 'is not', null)
    .where('authorizedAt', 'is not', null)
    .$narrowType<{ state: NotNull; authorizedAt: NotNull }>()
    .orderBy('authorizedAt')
    .execute();
}

/** A payment as {@link findFurtherFees} finds it. */
export type FurtherFeeRow = Awaited<ReturnType<typeof findFurtherFees>>[number];

/**
 * Finds the newest payment of an application, in any status.
 *
 * @param request The request of a further fee. Default: the fees of the application.
 */
export function findNewestPayment(
  db: Database,
  applicationId: string,
  request?: FeeRequest,
): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('payment')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where(isFor(request))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Payments and refunds whose processor has not answered, by what it was asked, and those of which it
 * refused to move the money.
 */
export type UnansweredPayments = Record<'pending' | 'capturing' | 'voiding' | 'refunding' | 'refused', number>;

/** Counts the payments and refunds whose processor has not answered or refused, by indexes of such. */
export async function countUnansweredPayments(db: Database): Promise<UnansweredPayments> {
  const unanswered = (status: PaymentStatus) =>
    sql<number>`count(*) filter (where status = ${status} and problem is null)`;
  const payments = await db
    .selectFrom('payment')
    .where('status', 'in', ['pending', 'capturing', 'voiding'])
    .select(({ fn }) => [
      unanswered('pending').as('pending'),
      unanswered('capturing').as('capturing'),
      unanswered('voiding').as('voiding'),
      fn.countAll<number>().filterWhere('problem', 'is not', null).as('refused'),
    ])
    .executeTakeFirstOrThrow();
  const refunds = await db
    .selectFrom('paymentRefund')
    .where('refundedAt', 'is', null)
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('problem', 'is', null).as('refunding'),
      fn.countAll<number>().filterWhere('problem', 'is not', null).as('refused'),
    ])
    .executeTakeFirstOrThrow();
  return { ...payments, ...refunds, refused: payments.refused + refunds.refused };
}

/** A payment by its id. */
export function findPaymentById(db: Database, id: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payment').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Payments that paid nothing, by what a user cannot multiply. */
export interface FailedCounts {
  /** Declined ones of the application, over its whole life. */
  ofApplication: number;
  /**
   * Of the user since a time, with pending ones: payments of several applications at the same time
   * could exceed the limit otherwise.
   */
  ofUser: number;
  /** Of the agency in this mode since a time. */
  ofAgency: number;
  /** Authorized and released ones of the user since a time. */
  releasedOfUser: number;
}

/**
 * Counts the payments that limit another payment of an application. Locks the user until
 * the transaction ends, so that another application of the user counts this payment.
 */
export async function countFailed(
  trx: DatabaseTransaction,
  application: Pick<ApplicationRow, 'id' | 'agencyId' | 'mode' | 'userId'>,
  since: Date,
): Promise<FailedCounts> {
  const { id, agencyId, mode, userId } = application;
  const owner = { agencyId, mode };
  await trx
    .selectFrom('applicant')
    .select('userId')
    .where(ownedBy(owner, 'applicant'))
    .where('userId', '=', userId)
    .forNoKeyUpdate()
    .execute();
  const { rows } = await sql<FailedCounts>`select
      (select count(*) from payment where application_id = ${id} and status = 'declined')::integer as of_application,
      count(*) filter (where application.user_id = ${userId} and payment.status in ('declined', 'pending'))::integer as of_user,
      count(*) filter (where application.user_id = ${userId} and payment.status in ('voiding', 'voided'))::integer
        as released_of_user,
      count(*) filter (where payment.status = 'declined')::integer as of_agency
    from payment join application on application.id = payment.application_id
    where payment.created_at > ${since} and payment.status in ('declined', 'pending', 'voiding', 'voided')
      and ${ownedBy(owner, 'application')}`.execute(trx);
  const [counts] = rows;
  if (!counts) throw new Error('A count has always a row.');
  return counts;
}

/**
 * Records a payment before the request to the processor. A unique index rejects a second open
 * payment.
 */
export async function insertPendingPayment(
  trx: DatabaseTransaction,
  payment: Pick<PaymentRow, 'id' | 'applicationId' | 'amountCents' | 'method' | 'cardLast4'> &
    Partial<Pick<PaymentRow, 'state' | 'serial'>>,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('payment')
    .values({ ...payment, status: 'pending', reference: null, createdAt: now, updatedAt: now })
    .execute();
}

/** The facts of a payment that change with its status. */
export type PaymentFacts = Partial<
  Pick<PaymentRow, 'reference' | 'cardLast4' | 'authorizedAt' | 'declineReason' | 'problem'>
>;

/**
 * Moves a payment to another status if it has one of the statuses `from`. Resolves with the moved
 * payment; `undefined` when it has another status. A concurrent call waits, and then sees the new
 * status.
 */
export function movePaymentRow(
  trx: DatabaseTransaction,
  move: { id: string; from: readonly PaymentStatus[]; to: PaymentStatus; facts: PaymentFacts; now: Date },
): Promise<PaymentRow | undefined> {
  return trx
    .updateTable('payment')
    .set({ ...move.facts, status: move.to, updatedAt: move.now })
    .where('id', '=', move.id)
    .where('status', 'in', move.from)
    .returningAll()
    .executeTakeFirst();
}

/** Keeps the processor's reference of a payment that is still pending. */
export async function keepReference(db: Database, id: string, reference: string, now: Date): Promise<void> {
  await db
    .updateTable('payment')
    .set({ reference, updatedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('reference', 'is distinct from', reference)
    .execute();
}

/** Adds a refunded amount to a payment. Concurrent ones are all counted. */
export async function addRefunded(trx: DatabaseTransaction, id: string, cents: number, now: Date): Promise<void> {
  await trx
    .updateTable('payment')
    .set(({ eb }) => ({ refundedCents: eb('refundedCents', '+', cents), updatedAt: now }))
    .where('id', '=', id)
    .execute();
}

/** Records a refund before the request to the processor. */
export async function insertRefund(
  trx: DatabaseTransaction,
  refund: Pick<PaymentRefundRow, 'id' | 'paymentId' | 'amountCents' | 'actor' | 'requestedAt'>,
): Promise<void> {
  await trx.insertInto('paymentRefund').values(refund).execute();
}

/** Reads the refunds of a payment, oldest first. */
export function findRefunds(db: Database, paymentId: string): Promise<PaymentRefundRow[]> {
  return db
    .selectFrom('paymentRefund')
    .selectAll()
    .where('paymentId', '=', paymentId)
    .orderBy('requestedAt')
    .orderBy('id')
    .execute();
}

/** Records the result of a refund. Resolves with whether the row changed. */
export async function settleRefund(
  trx: DatabaseTransaction,
  id: string,
  change: Pick<PaymentRefundRow, 'refundedAt' | 'problem'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('paymentRefund')
    .set(change)
    .where('id', '=', id)
    .where('refundedAt', 'is', null)
    .where('problem', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Lets no return from the processor's page lead to an application any more. */
export async function endPaymentReturns(trx: DatabaseTransaction, applicationId: string): Promise<void> {
  await trx.updateTable('payment').set({ leadsBack: false }).where('applicationId', '=', applicationId).execute();
}
