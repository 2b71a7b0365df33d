import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { DatabaseTransaction } from '../../../src/bridge/store/tables/typed-database.js';
import {
  capturePayment,
  coversFees,
  isCaptured,
  refundPayment,
  voidPayment,
} from '../../../src/bridge/domain/payments/operations.js';
import { runPaymentJob } from '../../../src/bridge/domain/payments/run-job.js';
import { findListedPayments } from '../../../src/bridge/store/payments/payment-list-store.js';
import { type PaymentRow, settlePayment, updatePayment } from '../../../src/bridge/store/payments/payment-store.js';
import { untilBlocked } from '../blocked.js';
import { declined, type PaymentDesk, startPaymentDesk } from './payment-desk.js';

type Kind = Parameters<typeof runPaymentJob>[1]['kind'];

describe('the operations of a payment', () => {
  let desk: PaymentDesk;
  let at: Date;
  before(async () => {
    desk = await startPaymentDesk();
    at = desk.now();
  });
  beforeEach(() => {
    desk.reset();
  });
  after(() => desk.stop());

  /** An application with one payment, which is authorized unless something else is given. */
  async function paid(change: Partial<PaymentRow> = {}) {
    const { applicationId } = await desk.service.createSession();
    const id = await desk.insert(applicationId, change);
    return { applicationId, id };
  }
  /** The time passes, so that a second change is seen. */
  async function operate(operation: typeof capturePayment, applicationId: string) {
    desk.wait(1_000);
    await desk.context.db.transaction().execute((trx) => operation(desk.context, trx, applicationId));
  }
  const run = (kind: Kind, paymentId: string, refundId?: string) =>
    runPaymentJob(desk.context, { kind, paymentId, ...(refundId !== undefined && { refundId }) });
  const refund = (applicationId: string, amountCents: number, refundId?: string) =>
    refundPayment(desk.context, { applicationId, amountCents, actor: 'operator', note: 'Overpaid', refundId });
  const callsOf = (id: string) => desk.calls.filter(({ request }) => JSON.stringify(request).includes(id));
  const submit = (applicationId: string) =>
    desk.context.db.updateTable('application').set({ submittedAt: at }).where('id', '=', applicationId).execute();

  for (const [operation, kind, column] of [
    [capturePayment, 'capture', 'captureRequestedAt'],
    [voidPayment, 'void', 'voidRequestedAt'],
  ] as const) {
    it(`A request to ${kind} schedules one job, only for an authorized payment without another request.`, async () => {
      const { applicationId, id } = await paid();
      await operate(operation, applicationId);
      const requested = await desk.rowOf(id);
      equal(requested[column]?.getTime(), desk.now().getTime());
      await operate(operation, applicationId);
      deepEqual(await desk.rowOf(id), requested);
      deepEqual(desk.jobsOf(id), [[kind, 0]]);
      for (const change of [
        { status: 'pending', authorizedAt: null },
        { capturedAt: at },
        { captureRequestedAt: at },
        { voidRequestedAt: at },
      ] as const) {
        const other = await paid(change);
        const row = await desk.rowOf(other.id);
        await operate(operation, other.applicationId);
        deepEqual(await desk.rowOf(other.id), row, JSON.stringify(change));
        deepEqual(desk.jobsOf(other.id), []);
      }
      await operate(operation, (await desk.service.createSession()).applicationId);
    });
  }

  it('Of a filing and the last denial at once, the second sees the decision of the first.', async () => {
    const { applicationId, id } = await paid();
    const { db } = desk.context;
    let denied: Promise<void> | undefined;
    await db.transaction().execute(async (trx) => {
      await capturePayment(desk.context, trx, applicationId);
      denied = db.transaction().execute((other) => voidPayment(desk.context, other, applicationId));
      await untilBlocked(desk.context.db, 1);
    });
    await denied;
    equal((await desk.rowOf(id)).voidRequestedAt, null);
    deepEqual(desk.jobsOf(id), [['capture', 0]]);
  });

  it('A payment is captured and covers the fees by these columns.', async () => {
    const row = await desk.rowOf((await paid()).id);
    for (const [change, captured, covers] of [
      [{}, false, true],
      [{ capturedAt: at }, true, true],
      [{ amountCents: 5_559 }, false, false],
      [{ amountCents: 5_561 }, false, false],
      [{ voidRequestedAt: at }, false, false],
      [{ status: 'pending', authorizedAt: null }, false, false],
      [{ status: 'declined', authorizedAt: null }, false, false],
    ] as const) {
      const changed: PaymentRow = { ...row, ...change };
      deepEqual([isCaptured(changed), coversFees(changed, 5_560)], [captured, covers], JSON.stringify(change));
    }
  });

  it('Refunds never exceed the captured amount, in whole cents, and a refused one can be given again.', async () => {
    const { applicationId, id } = await paid({ capturedAt: at, amountCents: 1_000 });
    const isRefused = (cents: number) => rejects(refund(applicationId, cents), { failure: 'invalid_request' });
    for (const cents of [1_001, 0, -1, 1.5, Number.NaN]) await isRefused(cents);
    const first = await refund(applicationId, 400);
    await isRefused(601);
    desk.answers.refund = { status: 'refused', reason: 'other' };
    await run('refund', id, first);
    desk.answers.refund = { status: 'done' };
    await isRefused(1_001);
    await refund(applicationId, 999);
    await refund(applicationId, 1);
    await isRefused(1);

    await rejects(refund('app_unknown', 1), { failure: 'unknown_application' });
    const { applicationId: unpaid } = await desk.service.createSession();
    const { applicationId: uncaptured } = await paid();
    for (const id of [unpaid, uncaptured]) await rejects(refund(id, 1), { failure: 'invalid_request' });
  });

  it('A refund that is sent twice is recorded, audited and scheduled once.', async () => {
    const { applicationId, id } = await paid({ capturedAt: at });
    for (let times = 0; times < 2; times += 1) equal(await refund(applicationId, 100, `ref_${id}`), `ref_${id}`);
    deepEqual(desk.jobsOf(id), [['refund', 0]]);
    deepEqual(await desk.auditOf(`ref_${id}`), ['payment.refund_requested 100']);
  });

  it('Of two refunds of the whole amount at once, one is refused.', async () => {
    const { applicationId } = await paid({ capturedAt: at });
    const { db } = desk.context;
    let both: Promise<PromiseSettledResult<string>[]> | undefined;
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('application').select('id').where('id', '=', applicationId).forUpdate().execute();
      both = Promise.allSettled([refund(applicationId, 5_560), refund(applicationId, 5_560)]);
      await untilBlocked(desk.context.db, 2);
    });
    deepEqual((await both)?.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  it('A job of an unknown payment does nothing, and one without a processor is repeated.', async () => {
    for (const kind of ['settle', 'release', 'capture', 'void', 'refund'] as const) await run(kind, 'pay_unknown');
    const { id } = await paid();
    const none = { ...desk.context, processorFor: () => undefined };
    await rejects(runPaymentJob(none, { kind: 'capture', paymentId: id }), /No payment processor/);
  });

  it('A look-up is repeated until the payment is settled, and not after that.', async () => {
    const { id } = await paid({ status: 'pending', authorizedAt: null });
    desk.answers.lookUp = { status: 'pending' };
    await rejects(run('settle', id), /does not have the result/);
    desk.answers.lookUp = declined;
    await run('settle', id);
    await run('settle', id);
    equal((await desk.rowOf(id)).status, 'declined');
    equal(callsOf(id).length, 2);
  });

  it('A release voids the payment of an unfinished application, and never that of a submitted one.', async () => {
    for (const [change, isSubmitted, jobs] of [
      [{}, false, [['void', 0]]],
      [{}, true, []],
      [{ status: 'pending', authorizedAt: null }, false, []],
      [{ status: 'declined' }, false, []],
      [{ capturedAt: at }, false, []],
    ] as const) {
      const { id, applicationId } = await paid(change);
      if (isSubmitted) await submit(applicationId);
      await run('release', id);
      deepEqual(desk.jobsOf(id), jobs, JSON.stringify(change));
    }
  });

  for (const [kind, column, action] of [
    ['capture', 'capturedAt', 'payment.captured'],
    ['void', 'voidedAt', 'payment.voided'],
  ] as const) {
    it(`A ${kind} is recorded and audited once, also when another instance was faster.`, async () => {
      const { id, applicationId } = await paid({ problem: 'other' });
      await submit(applicationId);
      desk.meanwhile(async () => {
        await run(kind, id);
        desk.wait(1_000);
      });
      await run(kind, id);
      await run(kind, id);
      const row = await desk.rowOf(id);
      equal(row[column]?.getTime(), desk.now().getTime() - 1_000);
      deepEqual([row.problem, row.status], [null, 'accepted']);
      deepEqual(await desk.auditOf(id), [`${action} done`]);
      deepEqual(
        callsOf(id).map(({ name }) => name),
        [kind, kind],
      );
    });

    it(`A refused ${kind} is recorded with its reason, audited and logged for a person.`, async () => {
      const { id } = await paid();
      desk.answers[kind] = { status: 'refused', reason: 'expired' };
      await run(kind, id);
      desk.answers[kind] = { status: 'done' };
      const row = await desk.rowOf(id);
      deepEqual([row.problem, row[column], row.status], ['expired', null, 'accepted']);
      deepEqual(await desk.auditOf(id), [`${action} expired`]);
      ok(desk.service.logged.some((line) => line.includes(id) && line.includes('The payment processor refused')));
    });
  }

  it('A capture takes the authorized amount, and a voided payment makes room for another one before the submission only.', async () => {
    const { id } = await paid({ amountCents: 1_234 });
    await run('capture', id);
    deepEqual(callsOf(id)[0]?.request, { paymentId: id, mode: 'test', amountCents: 1_234 });
    equal((await desk.rowOf(id)).status, 'accepted');
    const { id: voided } = await paid();
    await run('void', voided);
    const { status, declineReason } = await desk.rowOf(voided);
    deepEqual([status, declineReason], ['declined', null]);
  });

  it('A refund is counted once, although two instances send it at the same time.', async () => {
    const { applicationId, id } = await paid({ capturedAt: at });
    const refundId = await refund(applicationId, 100);
    desk.meanwhile(() => run('refund', id, refundId));
    await run('refund', id, refundId);
    await run('refund', id, refundId);
    equal((await desk.rowOf(id)).refundedCents, 100);
    deepEqual(await desk.auditOf(id), ['payment.refunded done']);
    equal(callsOf(refundId).length, 2);
    await run('refund', id, 'ref_unknown');
    equal(callsOf('ref_unknown').length, 0);
  });

  it('Two refunds at the same time are both counted.', async () => {
    const { applicationId, id } = await paid({ capturedAt: at });
    const refundIds = [await refund(applicationId, 100), await refund(applicationId, 20)];
    let both: Promise<unknown> | undefined;
    await desk.context.db.transaction().execute(async (trx: DatabaseTransaction) => {
      await updatePayment(trx, id, { updatedAt: desk.now() });
      both = Promise.all(refundIds.map((refundId) => run('refund', id, refundId)));
      await untilBlocked(desk.context.db, 2);
    });
    await both;
    equal((await desk.rowOf(id)).refundedCents, 120);
  });

  it('A refused refund is recorded with its reason, counts nothing and is not sent again.', async () => {
    const { applicationId, id } = await paid({ capturedAt: at });
    const refundId = await refund(applicationId, 100);
    // Another instance gets the refusal first.
    desk.meanwhile(async () => {
      desk.answers.refund = { status: 'refused', reason: 'too_much' };
      await run('refund', id, refundId);
      desk.reset();
    });
    for (let times = 0; times < 2; times += 1) await run('refund', id, refundId);
    equal(callsOf(refundId).length, 2);
    equal((await desk.rowOf(id)).refundedCents, 0);
    deepEqual(await desk.auditOf(id), ['payment.refunded too_much']);
    const row = await desk.context.db
      .selectFrom('paymentRefund')
      .selectAll()
      .where('id', '=', refundId)
      .executeTakeFirstOrThrow();
    deepEqual([row.problem, row.refundedAt], ['too_much', null]);
  });

  it('A result is only written over the statuses that allow it.', async () => {
    const settle = (id: string, status: 'accepted' | 'declined') =>
      desk.context.db.transaction().execute((trx) =>
        settlePayment(trx, {
          ...{ id, status, reference: 'ch_2', declineReason: null, cardLast4: '', now: desk.now() },
        }),
      );
    for (const [change, toAccepted, toDeclined] of [
      [{ status: 'pending', authorizedAt: null }, true, true],
      [{ status: 'declined', authorizedAt: null }, true, false],
      [{ status: 'accepted' }, false, false],
      [{ status: 'pending', authorizedAt: null, voidRequestedAt: at }, false, false],
    ] as const) {
      for (const [status, isChanged] of [
        ['accepted', toAccepted],
        ['declined', toDeclined],
      ] as const) {
        const { id } = await paid(change);
        equal(await settle(id, status), isChanged, `${change.status} ${status}`);
        if (!isChanged) continue;
        const row = await desk.rowOf(id);
        // An empty number keeps the stored one.
        deepEqual([row.status, row.cardLast4, row.reference], [status, '4242', 'ch_2']);
        equal(row.authorizedAt?.getTime(), status === 'accepted' ? desk.now().getTime() : undefined);
      }
    }
    const { applicationId, id } = await paid({ status: 'declined', authorizedAt: null });
    await desk.insert(applicationId, { status: 'pending', authorizedAt: null });
    equal(await settle(id, 'accepted'), false);
  });

  it('The list of payments shows the newest first, page by page, and only the selected ones.', async () => {
    const { applicationId } = await desk.service.createSession();
    const [early, late] = [new Date(at.getTime() - 1_000), new Date(at.getTime() + 1_000)];
    const insert = (change: Partial<PaymentRow>) => desk.insert(applicationId, { status: 'declined', ...change });
    const ids = [
      await insert({ id: `${applicationId}_b`, createdAt: late }),
      await insert({ id: `${applicationId}_a`, createdAt: late, problem: 'other' }),
      await insert({ id: `${applicationId}_c`, createdAt: early }),
    ];
    const list = async (query: Partial<Parameters<typeof findListedPayments>[1]>) =>
      (await findListedPayments(desk.context.db, { applicationId, limit: 9, ...query })).map(({ id }) => id);
    deepEqual(await list({}), ids);
    deepEqual(await list({ limit: 2 }), ids.slice(0, 2));
    deepEqual(await list({ before: { createdAt: late, id: `${applicationId}_b` } }), ids.slice(1));
    deepEqual(await list({ before: { createdAt: late, id: `${applicationId}_a` } }), ids.slice(2));
    deepEqual(await list({ before: { createdAt: early, id: `${applicationId}_c` } }), []);
    deepEqual(await list({ hasProblem: true }), [`${applicationId}_a`]);
    deepEqual(await list({ hasProblem: false }), ids);
    const all = await findListedPayments(desk.context.db, { limit: 1_000 });
    ok(all.some((row) => row.applicationId !== applicationId));
    deepEqual([all[0]?.mode, all[0]?.agencyName], ['test', 'Example Agency']);
  });
});
