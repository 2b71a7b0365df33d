import { randomUUID } from 'node:crypto';
import { paymentForm } from '../../../src/bridge/domain/payments/committing-forms.js';
import { shownToken } from '../../../src/bridge/domain/shown/shown.js';
import type { CreateSessionRequest } from '../../../src/contract/index.js';
import { findSession } from '../../../src/bridge/domain/applications/session.js';
import type { BridgeContext } from '../../../src/bridge/domain/context.js';
import type { PaymentJob } from '../../../src/bridge/domain/jobs.js';
import { randomId } from '../../../src/bridge/domain/keys/keys.js';
import { payFees, readPayment } from '../../../src/bridge/domain/payments/payment.js';
import type {
  OperationOutcome,
  PaymentOutcome,
  PaymentProcessor,
  PaymentSource,
} from '../../../src/bridge/ports/payment-processor.js';
import type { PaymentRow } from '../../../src/bridge/store/payments/payment-store.js';
import { startApplyService, type ApplyService, type SessionOptions } from '../apply/support/service.js';
import { placeAt, tokenOf } from '../apply/support/shortcuts.js';

/** The results of the processor: an error is an answer that was lost. */
interface Answers {
  authorize: PaymentOutcome | Error;
  lookUp: PaymentOutcome | { status: 'unknown' };
  capture: OperationOutcome;
  void: OperationOutcome;
  refund: OperationOutcome;
  closePage: undefined;
}

export const authorized = { status: 'authorized', reference: 'ch_1', cardLast4: '4242' } satisfies PaymentOutcome;
export const redirected: PaymentOutcome = { status: 'redirect', url: 'https://processor.example/pay' };
export const declined: PaymentOutcome = { status: 'declined', reference: 'ch_0', reason: 'card_declined' };

const card: PaymentSource = {
  kind: 'typed',
  card: { number: '4242424242424242', expiryMonth: 4, expiryYear: 2039, securityCode: '123', nameOnCard: 'Ana Rivera' },
};

/**
 * A bridge with a processor and a clock that the test sets. Jobs of payments are recorded, and only
 * run when a test runs them.
 */
export async function startPaymentDesk() {
  const started = new Date();
  let now = started;
  const jobs: (PaymentJob & { afterSeconds: number })[] = [];
  const calls: { name: keyof Answers; request: unknown }[] = [];
  const answers: Answers = {
    authorize: authorized,
    lookUp: { status: 'unknown' },
    capture: { status: 'done' },
    void: { status: 'done' },
    refund: { status: 'done' },
    closePage: undefined,
  };
  let inFlight: (() => Promise<unknown>) | undefined;

  async function answer<Name extends keyof Answers>(name: Name, request: unknown): Promise<Answers[Name]> {
    calls.push({ name, request });
    const meanwhile = inFlight;
    inFlight = undefined;
    await meanwhile?.();
    return answers[name];
  }
  const processor: PaymentProcessor = {
    serves: () => true,
    cardEntry: 'page',
    async authorize(request) {
      const outcome = await answer('authorize', request);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    lookUp: (payment) => answer('lookUp', payment),
    capture: (request) => answer('capture', request),
    void: (request) => answer('void', request),
    refund: (request) => answer('refund', request),
    closePage: (payment) => answer('closePage', payment),
  };
  const service: ApplyService = await startApplyService({ clock: () => now, paymentProcessor: processor });
  const { db } = service.context;
  const context: BridgeContext = {
    ...service.context,
    async schedule(trx, kind, job, afterSeconds) {
      if (kind === 'payment') jobs.push({ ...(job as PaymentJob), afterSeconds });
      else await service.context.schedule(trx, kind, job, afterSeconds);
    },
  };

  return {
    service,
    context,
    answers,
    calls,
    stop: () => service.stop(),
    now: () => now,
    /** The time of the start, and a processor that accepts everything. For before each test. */
    reset() {
      now = started;
      const done = { status: 'done' } as const;
      Object.assign(answers, { authorize: authorized, lookUp: authorized, capture: done, void: done, refund: done });
    },
    wait(ms: number) {
      now = new Date(now.getTime() + ms);
    },
    /** Runs work while the next request to the processor is on its way. */
    meanwhile(work: () => Promise<unknown>) {
      inFlight = work;
    },
    /** The scheduled jobs of a payment, and of no other. */
    jobsOf: (paymentId: string) =>
      jobs.filter((job) => job.paymentId === paymentId).map(({ kind, afterSeconds }) => [kind, afterSeconds] as const),

    /** An application that waits for its payment, or for its signature. */
    async arrive(
      place: 'review' | 'payment' = 'payment',
      request: Partial<CreateSessionRequest> = {},
      options: SessionOptions = {},
    ) {
      const { applicationId, applicationUrl } = await service.createSession({ states: ['TX'], ...request }, options);
      await placeAt({ context }, { applicationUrl }, place, { ssn: '234-56-7891' });
      const token = tokenOf(applicationUrl);
      return {
        applicationId,
        token,
        /** Pays, from another address than all other payments unless one is given. */
        async pay(address: string = randomUUID()) {
          const session = await findSession(context, token);
          const shown = session ? shownToken(context, paymentForm, session) : '';
          return payFees(context, token, { method: 'card', source: card, shown, address }, 'es');
        },
        async read() {
          const session = await findSession(context, token);
          return session && readPayment(context, token, session);
        },
      };
    },

    /** Writes a payment as it would be after some time. Default: authorized. */
    async insert(applicationId: string, change: Partial<PaymentRow> = {}): Promise<string> {
      const id = change.id ?? randomId('pay');
      const isAuthorized = change.status !== 'pending' && change.status !== 'declined';
      const times = { createdAt: now, updatedAt: now, authorizedAt: isAuthorized ? now : null };
      const row = { amountCents: 5_560, status: 'authorized', cardLast4: '4242', reference: 'ch_1' } as const;
      await db
        .insertInto('payment')
        .values({ ...row, ...times, ...change, id, applicationId })
        .execute();
      return id;
    },
    rowsOf: (applicationId: string) =>
      db
        .selectFrom('payment')
        .selectAll()
        .where('applicationId', '=', applicationId)
        .orderBy('createdAt')
        .orderBy('id')
        .execute(),
    rowOf: (id: string) => db.selectFrom('payment').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    applicationOf: (id: string) =>
      db.selectFrom('application').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    /** The audit entries of a payment or refund. */
    async auditOf(id: string): Promise<string[]> {
      const rows = await db
        .selectFrom('auditEntry')
        .select(['action', 'result'])
        .where('subject', 'like', `%/${id}`)
        .orderBy('id')
        .execute();
      return rows.map(({ action, result }) => `${action} ${result}`);
    },
  };
}

export type PaymentDesk = Awaited<ReturnType<typeof startPaymentDesk>>;
