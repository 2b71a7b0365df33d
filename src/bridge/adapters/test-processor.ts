import { setTimeout as wait } from 'node:timers/promises';
import { testBankAccounts, testCards } from '../../contract/index.js';
import {
  beginSimulatedPayment,
  findSimulatedPayment,
  lockSimulatedPayment,
  updateSimulatedPayment,
  type SimulatedPaymentRow,
} from '../store/payments/simulated-payment-store.js';
import type { Database } from '../store/tables/typed-database.js';
import { inTransaction } from '../store/transaction.js';
import type { BankAccount, OperationOutcome, PaymentOutcome, PaymentProcessor } from '../ports/payment-processor.js';
import { type Links, randomId } from '../domain/keys/keys.js';

/** The processor of test mode, with the functions of its simulated page of 3-D Secure. */
export interface TestProcessor extends PaymentProcessor {
  /**
   * Records the user's answer on the simulated page; without effect on a payment that does not wait
   * for it.
   */
  finishChallenge(paymentId: string, isPassed: boolean): Promise<void>;
  /** Whether a payment waits for an answer on the simulated page. */
  isChallenged(paymentId: string): Promise<boolean>;
}

/** The dependencies of the test processor. */
export interface TestProcessorOptions {
  db: Database;
  /** Creates the URL of the simulated page. */
  links: Pick<Links, 'challengeUrl'>;
  /** The delay of the slow test card, in milliseconds. Default: 3000. */
  slowMs?: number;
}

const statusOf = {
  accepted: 'authorized',
  declined: 'declined',
  slow: 'authorized',
  challenged: 'challenged',
} as const satisfies Record<(typeof testCards)[number]['outcome'], SimulatedPaymentRow['status']>;

/**
 * The processor of test mode. Accepts the documented test cards and bank accounts, moves no money,
 * and declines every real one. Its records are in the database, which all instances share. Serves
 * test mode only.
 */
export function createTestProcessor({ db, links, slowMs = 3_000 }: TestProcessorOptions): TestProcessor {
  /**
   * Changes the record of an authorized payment; refuses changes that its status does not allow.
   */
  function operate(
    paymentId: string,
    change: (row: SimulatedPaymentRow) => OperationOutcome | Parameters<typeof updateSimulatedPayment>[2],
  ): Promise<OperationOutcome> {
    return inTransaction(db, async (trx) => {
      const row = await lockSimulatedPayment(trx, paymentId);
      if (!row) return { status: 'refused', reason: 'unknown_payment' };
      if (row.status !== 'authorized') return { status: 'refused', reason: 'other' };
      const changed = change(row);
      if ('status' in changed) return changed as OperationOutcome;
      await updateSimulatedPayment(trx, paymentId, changed);
      return { status: 'done' };
    });
  }

  /** Pending at first, as with real banks. No account data is stored. */
  async function beginBankAccount(paymentId: string, { routingNumber, accountNumber }: BankAccount) {
    const known = testBankAccounts.find(
      (each) => each.routingNumber === routingNumber && each.accountNumber === accountNumber,
    );
    const row = await beginSimulatedPayment(db, {
      paymentId,
      status: !known ? 'test_cards_only' : known.outcome === 'accepted' ? 'authorized' : 'account_declined',
      reference: randomId('ba'),
      cardLast4: '',
      answersAt: new Date(Date.now() + (known ? slowMs : 0)),
    });
    return toOutcome(row, links);
  }

  return {
    serves: (mode) => mode === 'test',
    cardEntry: 'typed',
    methods: ['card', 'bankAccount'],
    async authorize({ paymentId, source }) {
      if ('bankAccount' in source) return beginBankAccount(paymentId, source.bankAccount);
      const number = 'card' in source ? source.card.number : '';
      const known = testCards.find((card) => card.number.replaceAll(' ', '') === number);
      const takesMs = known?.outcome === 'slow' ? slowMs : 0;
      const row = await beginSimulatedPayment(db, {
        paymentId,
        status: known ? statusOf[known.outcome] : 'test_cards_only',
        reference: randomId('ch'),
        cardLast4: number.slice(-4),
        // A separate clock, as a real processor has.
        answersAt: new Date(Date.now() + takesMs),
      });
      const leftMs = row.answersAt.getTime() - Date.now();
      if (leftMs > 0) await wait(leftMs);
      return toOutcome(row, links);
    },
    async lookUp({ paymentId }) {
      const row = await findSimulatedPayment(db, paymentId);
      return row ? toOutcome(row, links) : { status: 'unknown' };
    },
    capture: ({ paymentId, amountCents }) =>
      operate(paymentId, ({ isVoided, capturedCents }) => {
        if (isVoided) return { status: 'refused', reason: 'voided' };
        return { capturedCents: capturedCents > 0 ? capturedCents : amountCents };
      }),
    void: ({ paymentId }) =>
      operate(paymentId, ({ capturedCents }) =>
        capturedCents > 0 ? { status: 'refused', reason: 'captured' } : { isVoided: true },
      ),
    refund: ({ paymentId, refundId, amountCents }) =>
      operate(paymentId, ({ capturedCents, refunds }) => {
        if (capturedCents === 0) return { status: 'refused', reason: 'not_captured' };
        const { [refundId]: _again, ...others } = refunds;
        const given = Object.values(others).reduce((sum, cents) => sum + cents, 0);
        if (given + amountCents > capturedCents) return { status: 'refused', reason: 'too_much' };
        return { refunds: JSON.stringify({ ...others, [refundId]: amountCents }) };
      }),
    async finishChallenge(paymentId, isPassed) {
      await inTransaction(db, async (trx) => {
        const row = await lockSimulatedPayment(trx, paymentId);
        if (row?.status !== 'challenged') return;
        await updateSimulatedPayment(trx, paymentId, { status: isPassed ? 'authorized' : 'authentication_failed' });
      });
    },
    isChallenged: async (paymentId) => (await findSimulatedPayment(db, paymentId))?.status === 'challenged',
  };
}

function toOutcome(row: SimulatedPaymentRow, links: TestProcessorOptions['links']): PaymentOutcome {
  const { paymentId, status, reference, cardLast4 } = row;
  if (row.answersAt.getTime() > Date.now()) return { status: 'pending' };
  if (status === 'challenged') return { status: 'redirect', url: links.challengeUrl(paymentId) };
  if (status === 'authorized') return { status, reference, cardLast4 };
  if (status === 'declined') return { status, reference, reason: 'card_declined' };
  if (status === 'account_declined') return { status: 'declined', reference, reason: status };
  return { status: 'declined', reference: null, reason: status };
}
