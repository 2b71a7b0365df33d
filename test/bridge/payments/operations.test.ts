import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { DatabaseTransaction } from '../../../src/bridge/store/tables/typed-database.js';
import { capturePayment, refundPayment, voidPayment } from '../../../src/bridge/domain/payments/operations.js';
import {
  coversFees,
  movePayment,
  type PaymentEvent,
  paymentTransitions,
} from '../../../src/bridge/domain/payments/payment-state.js';
import { runPaymentJob } from '../../../src/bridge/domain/payments/run-job.js';
import { findListedPayments } from '../../../src/bridge/store/payments/payment-list-store.js';
import type { PaymentRow } from '../../../src/bridge/store/payments/payment-store.js';
import type { PaymentStatus } from '../../../src/bridge/store/tables/payment-tables.js';
import { untilBlocked } from '../blocked.js';
import { declined, type PaymentDesk, startPaymentDesk } from './payment-desk.js';

type Kind = Parameters<typeof runPaymentJob>[1]['kind'];

const statuses = [
  'pending',
  'authorized',
  'capturing',
  'captured',
  'voiding',
  'voided',
  'declined',
] satisfies PaymentStatus[];

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
    refundPayment(desk.context, { applicationId, amountCents, actor: 'cli:tester', note: 'Overpaid', refundId });
  const callsOf = (id: string) => desk.calls.filter(({ request }) => JSON.stringify(request).includes(id));
  const submit = (applicationId: string) =>
    desk.context.db.updateTable('application').set({ submittedAt: at }).where('id', '=', applicationId).execute();

  for (const [operation, kind, status] of [
    [capturePayment, 'capture', 'capturing'],
    [voidPayment, 'void', 'voiding'],
  ] as const) {
    it(`A request to ${kind} schedules one job, only for an authorized payment without another request.`, async () => {
      const { applicationId, id } = await paid();
      await operate(operation, applicationId);
      const requested = await desk.rowOf(id);
      deepEqual([requested.status, requested.updatedAt], [status, desk.now()]);
      await operate(operation, applicationId);
      deepEqual(await desk.rowOf(id), requested);
      deepEqual(desk.jobsOf(id), [[kind, 0]]);
      for (const other of await Promise.all(
        (['pending', 'capturing', 'captured', 'voiding', 'voided', 'declined'] as const).map((status) =>
          paid({ status }),
        ),
      )) {
        const row = await desk.rowOf(other.id);
        await operate(operation, other.applicationId);
        deepEqual(await desk.rowOf(other.id), row);
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
    equal((await desk.rowOf(id)).status, 'capturing');
    deepEqual(desk.jobsOf(id), [['capture', 0]]);
  });

  it('A payment covers the fees when its money is held or captured, and its amount is theirs.', async () => {
    const row = await desk.rowOf((await paid()).id);
    const covers = (change: Partial<PaymentRow>) => coversFees({ ...row, ...change }, 5_560);
    deepEqual(
      statuses.filter((status) => covers({ status })),
      ['authorized', 'capturing', 'captured'],
    );
    deepEqual([covers({ amountCents: 5_559 }), covers({ amountCents: 5_561 })], [false, false]);
  });

  it('Refunds never exceed the captured amount, in whole cents, and a refused one can be given again.', async () => {
    const { applicationId, id } = await paid({ status: 'captured', amountCents: 1_000 });
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
    const { applicationId, id } = await paid({ status: 'captured' });
    for (let times = 0; times < 2; times += 1) equal(await refund(applicationId, 100, `ref_${id}`), `ref_${id}`);
    deepEqual(desk.jobsOf(id), [['refund', 0]]);
    deepEqual(await desk.auditOf(`ref_${id}`), ['payment.refund_requested 100']);
  });

  it('Of two refunds of the whole amount at once, one is refused.', async () => {
    const { applicationId } = await paid({ status: 'captured' });
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
    const { id } = await paid({ status: 'pending' });
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
      [{ status: 'pending' }, false, []],
      [{ status: 'declined' }, false, []],
      [{ status: 'captured' }, false, []],
    ] as const) {
      const { id, applicationId } = await paid(change);
      if (isSubmitted) await submit(applicationId);
      await run('release', id);
      deepEqual(desk.jobsOf(id), jobs, JSON.stringify(change));
    }
  });

  for (const [kind, asked, done, action] of [
    ['capture', 'capturing', 'captured', 'payment.captured'],
    ['void', 'voiding', 'voided', 'payment.voided'],
  ] as const) {
    it(`A ${kind} is recorded and audited once, also when another instance was faster.`, async () => {
      const { id, applicationId } = await paid({ status: asked, problem: 'other' });
      await submit(applicationId);
      desk.meanwhile(async () => {
        await run(kind, id);
        desk.wait(1_000);
      });
      await run(kind, id);
      await run(kind, id);
      const row = await desk.rowOf(id);
      equal(row.updatedAt.getTime(), desk.now().getTime() - 1_000);
      deepEqual([row.problem, row.status], [null, done]);
      deepEqual(await desk.auditOf(id), [`${action} done`]);
      deepEqual(
        callsOf(id).map(({ name }) => name),
        [kind, kind],
      );
    });

    it(`A refused ${kind} is recorded with its reason, audited and logged for a person.`, async () => {
      const { id } = await paid({ status: asked });
      desk.answers[kind] = { status: 'refused', reason: 'expired' };
      await run(kind, id);
      desk.answers[kind] = { status: 'done' };
      const row = await desk.rowOf(id);
      deepEqual([row.problem, row.status], ['expired', asked]);
      deepEqual(await desk.auditOf(id), [`${action} expired`]);
      ok(desk.service.logged.some((line) => line.includes(id) && line.includes('The payment processor refused')));
    });
  }

  it('A capture takes the authorized amount, and a voided payment makes room for another one.', async () => {
    const { id, applicationId } = await paid({ status: 'capturing', amountCents: 1_234 });
    await run('capture', id);
    deepEqual(callsOf(id)[0]?.request, { paymentId: id, mode: 'test', reference: 'ch_1', amountCents: 1_234 });
    await rejects(desk.insert(applicationId, { status: 'pending' }), /payment_once/);
    const other = await paid({ status: 'voiding' });
    await run('void', other.id);
    equal((await desk.rowOf(other.id)).declineReason, null);
    await desk.insert(other.applicationId, { status: 'pending' });
  });

  it('A job asks the processor nothing when the payment is in another status.', async () => {
    for (const kind of ['capture', 'void'] as const) {
      const { id } = await paid();
      await run(kind, id);
      deepEqual([callsOf(id), (await desk.rowOf(id)).status], [[], 'authorized']);
    }
  });

  it('A refund is counted once, although two instances send it at the same time.', async () => {
    const { applicationId, id } = await paid({ status: 'captured' });
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
    const { applicationId, id } = await paid({ status: 'captured' });
    const refundIds = [await refund(applicationId, 100), await refund(applicationId, 20)];
    let both: Promise<unknown> | undefined;
    await desk.context.db.transaction().execute(async (trx: DatabaseTransaction) => {
      await trx.selectFrom('payment').select('id').where('id', '=', id).forUpdate().execute();
      both = Promise.all(refundIds.map((refundId) => run('refund', id, refundId)));
      await untilBlocked(desk.context.db, 2);
    });
    await both;
    equal((await desk.rowOf(id)).refundedCents, 120);
  });

  it('A refused refund is recorded with its reason, counts nothing and is not sent again.', async () => {
    const { applicationId, id } = await paid({ status: 'captured' });
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

  for (const event of Object.keys(paymentTransitions) as PaymentEvent[]) {
    const { from, to }: { from: readonly PaymentStatus[]; to: PaymentStatus } = paymentTransitions[event];
    it(`"${event}" moves a payment from ${from.join(' or ')} to ${to}, and no other payment.`, async () => {
      for (const status of statuses) {
        const { id } = await paid({ status });
        const before = await desk.rowOf(id);
        desk.wait(1_000);
        const move = () =>
          desk.context.db
            .transaction()
            .execute((trx) => movePayment(desk.context, trx, id, event, { reference: 'ch_2' }));
        const isMoved = from.includes(status);
        equal(await move(), isMoved, status);
        const change: Partial<PaymentRow> = isMoved ? { status: to, reference: 'ch_2', updatedAt: desk.now() } : {};
        deepEqual(await desk.rowOf(id), { ...before, ...change });
      }
    });
  }

  it('Of two changes of a payment at once, one happens.', async () => {
    const { id } = await paid();
    const { db } = desk.context;
    let other: Promise<boolean> | undefined;
    await db.transaction().execute(async (trx) => {
      equal(await movePayment(desk.context, trx, id, 'captureRequested'), true);
      other = db.transaction().execute((later) => movePayment(desk.context, later, id, 'voidRequested'));
      await untilBlocked(db, 1);
    });
    equal(await other, false);
    deepEqual(desk.jobsOf(id), [['capture', 0]]);
  });

  it('The database refuses an unknown status, and a second payment with money.', async () => {
    const { applicationId } = await paid();
    await rejects(desk.insert(applicationId, { status: 'accepted' as PaymentStatus }), /payment_status_check/);
    for (const status of statuses) {
      const second = desk.insert(applicationId, { status });
      if (['voiding', 'voided', 'declined'].includes(status)) await second;
      else await rejects(second, /payment_once/, status);
    }
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
      (await findListedPayments(desk.context.db, { scope: 'all', applicationId, limit: 9, ...query })).map(
        ({ id }) => id,
      );
    deepEqual(await list({}), ids);
    deepEqual(await list({ limit: 2 }), ids.slice(0, 2));
    deepEqual(await list({ before: { createdAt: late, id: `${applicationId}_b` } }), ids.slice(1));
    deepEqual(await list({ before: { createdAt: late, id: `${applicationId}_a` } }), ids.slice(2));
    deepEqual(await list({ before: { createdAt: early, id: `${applicationId}_c` } }), []);
    deepEqual(await list({ hasProblem: true }), [`${applicationId}_a`]);
    deepEqual(await list({ hasProblem: false }), ids);
    const all = await findListedPayments(desk.context.db, { scope: 'all', limit: 1_000 });
    ok(all.some((row) => row.applicationId !== applicationId));
    deepEqual([all[0]?.mode, all[0]?.agencyName], ['test', 'Example Agency']);
  });
});
