import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Mode } from '../../contract/index.js';
import type { AuthorizeRequest, PaymentOutcome, PaymentProcessor, PaymentSource } from '../ports/payment-processor.js';

type CardName = 'accepted' | 'declined' | 'challenged' | 'slow';
type EntryName = CardName | 'bankAccount';

/** The fixtures for the tests of a payment processor and its service. */
export interface PaymentProcessorUnderTest {
  processor: PaymentProcessor;
  /** A mode that it serves. */
  mode: Mode;
  /**
   * The input of payments that are accepted, declined, challenged by 3-D Secure, or answered later.
   * With an entry on the processor's page all are `{ kind: 'page' }`.
   */
  sources: Record<CardName, PaymentSource> & {
    /** Absent when only cards are accepted. */
    bankAccount?: PaymentSource;
  };
  /**
   * Acts as the user on the processor's page until it is done: enters `entry` where the page asks
   * for a card or a bank account, and passes or fails 3-D Secure.
   */
  finishPage(url: string, entry: EntryName, how: 'pass' | 'fail'): Promise<void>;
  /**
   * Loses the answers of the next requests after they were executed. Absent when no answer can be
   * lost.
   */
  loseAnswers?(count: number): void;
  stop(): Promise<void>;
}

/** A request, and what the user enters where the processor's page asks for it. */
type Asked = AuthorizeRequest & { entry: EntryName };

/**
 * Defines the tests of the contract of {@link PaymentProcessor}. `setup` runs once, before the
 * first.
 */
export function testPaymentProcessor(name: string, setup: () => Promise<PaymentProcessorUnderTest>): void {
  describe(`the payment processor ${name}`, () => {
    let under: PaymentProcessorUnderTest;
    before(async () => {
      under = await setup();
    });
    after(() => under.stop());

    const request = (entry: EntryName): Asked => ({
      entry,
      paymentId: `pay_${randomUUID()}`,
      amountCents: 15_120,
      mode: under.mode,
      description: 'License application fees',
      method: entry === 'bankAccount' ? 'bankAccount' : 'card',
      source: under.sources[entry] ?? { kind: 'page' },
      returnUrl: 'http://127.0.0.1:9/return',
      language: 'en',
    });
    const authorized = async () => {
      const asked = request('accepted');
      const outcome = await settled(under, asked);
      ok(outcome.status === 'authorized');
      return { paymentId: asked.paymentId, mode: under.mode };
    };

    it(`${name}: It serves its mode, and never accepts typed cards in live mode.`, () => {
      ok(under.processor.serves(under.mode));
      ok(!(under.processor.serves('live') && under.processor.cardEntry === 'typed'));
    });

    it(`${name}: Two calls with the same payment id are one authorization, also when they run at once.`, async () => {
      const asked = request('accepted');
      await Promise.all([under.processor.authorize(asked), under.processor.authorize(asked)]);
      const first = await settled(under, asked);
      const second = await settled(under, asked);
      ok(first.status === 'authorized' && second.status === 'authorized');
      equal(first.reference, second.reference);
      match(first.cardLast4, /^(\d{4})?$/);
    });

    it(`${name}: A declined card stays declined, also when it is looked up.`, async () => {
      const asked = request('declined');
      const outcome = await settled(under, asked);
      ok(outcome.status === 'declined');
      equal(outcome.reason, 'card_declined');
      deepEqual(await under.processor.lookUp(asked.paymentId, under.mode), outcome);
    });

    for (const how of ['pass', 'fail'] as const) {
      it(`${name}: A card with 3-D Secure leads to a page, and the user's action there decides (${how}).`, async () => {
        const asked = request('challenged');
        const outcome = await under.processor.authorize(asked);
        ok(outcome.status === 'redirect');
        match(outcome.url, /^https?:\/\//);
        const meanwhile = await under.processor.lookUp(asked.paymentId, under.mode);
        ok(meanwhile.status === 'redirect' || meanwhile.status === 'pending');
        await under.finishPage(outcome.url, 'challenged', how);
        const ended = await under.processor.lookUp(asked.paymentId, under.mode);
        equal(ended.status, how === 'pass' ? 'authorized' : 'declined');
      });
    }

    it(`${name}: A payment that is answered later is settled by a look-up.`, async () => {
      const asked = request('slow');
      await under.processor.authorize(asked);
      equal((await settled(under, asked)).status, 'authorized');
    });

    it(`${name}: A bank account is pending at first, and its number is not returned.`, async (test) => {
      if (!under.sources.bankAccount) {
        test.skip('It only accepts cards.');
        return;
      }
      ok(under.processor.methods?.includes('bankAccount'));
      const asked = request('bankAccount');
      let first = await under.processor.authorize(asked);
      if (first.status === 'redirect') {
        await under.finishPage(first.url, 'bankAccount', 'pass');
        first = known(await under.processor.lookUp(asked.paymentId, under.mode));
      }
      equal(first.status, 'pending');
      const outcome = await settled(under, asked);
      ok(outcome.status === 'authorized');
      equal(outcome.cardLast4, '');
    });

    it(`${name}: A payment that never arrived is unknown, and cannot be captured, voided or refunded.`, async () => {
      const stranger = { paymentId: `pay_${randomUUID()}`, mode: under.mode };
      deepEqual(await under.processor.lookUp(stranger.paymentId, under.mode), { status: 'unknown' });
      const outcome = await under.processor.capture({ ...stranger, amountCents: 100 });
      deepEqual(outcome, { status: 'refused', reason: 'unknown_payment' });
    });

    it(`${name}: A captured payment is captured once, and cannot be voided.`, async () => {
      const payment = await authorized();
      const capture = { ...payment, amountCents: 15_120 };
      const both = await Promise.all([under.processor.capture(capture), under.processor.capture(capture)]);
      deepEqual([...both, await under.processor.capture(capture)], Array(3).fill({ status: 'done' }));
      deepEqual(await under.processor.void(payment), { status: 'refused', reason: 'captured' });
    });

    it(`${name}: A voided payment is voided once, and cannot be captured.`, async () => {
      const payment = await authorized();
      deepEqual(await under.processor.void(payment), { status: 'done' });
      deepEqual(await under.processor.void(payment), { status: 'done' });
      deepEqual(await under.processor.capture({ ...payment, amountCents: 15_120 }), {
        status: 'refused',
        reason: 'voided',
      });
    });

    it(`${name}: Partial refunds are made once each, and never exceed the captured amount.`, async () => {
      const payment = await authorized();
      const refund = (refundId: string, amountCents: number) =>
        under.processor.refund({ ...payment, refundId, amountCents });
      deepEqual(await refund('ref_early', 100), { status: 'refused', reason: 'not_captured' });
      await under.processor.capture({ ...payment, amountCents: 15_120 });
      deepEqual(await refund('ref_1', 5_000), { status: 'done' });
      deepEqual(await refund('ref_1', 5_000), { status: 'done' });
      deepEqual(await refund('ref_2', 10_121), { status: 'refused', reason: 'too_much' });
      deepEqual(await refund('ref_3', 10_120), { status: 'done' });
    });

    it(`${name}: An authorization with a lost answer is found, and is not repeated.`, async (test) => {
      if (!under.loseAnswers) {
        test.skip('Answers of this processor cannot be lost.');
        return;
      }
      const asked = request('accepted');
      under.loseAnswers(1);
      await rejects(under.processor.authorize(asked));
      const found = known(await under.processor.lookUp(asked.paymentId, under.mode));
      if (under.processor.cardEntry !== 'page') equal(found.status, 'authorized');
      const paid = await ended(under, asked, found);
      ok(paid.status === 'authorized');
      const again = await under.processor.authorize(asked);
      ok(again.status === 'authorized');
      equal(again.reference, paid.reference);
    });
  });
}

/** Authorizes a payment, completes the processor's page if there is one, and waits for the result. */
async function settled(under: PaymentProcessorUnderTest, asked: Asked): Promise<EndedPayment> {
  return ended(under, asked, await under.processor.authorize(asked));
}

type EndedPayment = Exclude<PaymentOutcome, { status: 'pending' | 'redirect' }>;

async function ended(
  { processor, mode, finishPage }: PaymentProcessorUnderTest,
  { paymentId, entry }: Asked,
  begun: PaymentOutcome,
): Promise<EndedPayment> {
  if (begun.status === 'redirect') await finishPage(begun.url, entry, 'pass');
  const deadline = Date.now() + 10_000;
  for (;;) {
    const found = known(await processor.lookUp(paymentId, mode));
    if (found.status === 'authorized' || found.status === 'declined') return found;
    if (Date.now() > deadline) throw new Error(`The payment is still ${found.status}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** An authorization that the processor has received is never unknown to it. */
function known(found: Awaited<ReturnType<PaymentProcessor['lookUp']>>): PaymentOutcome {
  ok(found.status !== 'unknown');
  return found;
}
