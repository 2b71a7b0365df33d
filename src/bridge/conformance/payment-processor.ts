import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Mode } from '../../contract/index.js';
import type { AuthorizeRequest, PaymentProcessor, PaymentSource } from '../ports/payment-processor.js';

/** The fixtures for the tests of a payment processor and its service. */
export interface PaymentProcessorUnderTest {
  processor: PaymentProcessor;
  /** A mode that it serves. */
  mode: Mode;
  /**
   * The input of payments that are accepted, declined, challenged by 3-D Secure, or answered later.
   */
  sources: {
    accepted: PaymentSource;
    declined: PaymentSource;
    challenged: PaymentSource;
    slow: PaymentSource;
    /** Absent when only cards are accepted. */
    bankAccount?: PaymentSource;
  };
  /** Acts as the user on the processor's page. */
  finishChallenge(url: string, how: 'pass' | 'fail'): Promise<void>;
  /**
   * Loses the answers of the next requests after they were executed. Absent when no answer can be
   * lost.
   */
  loseAnswers?(count: number): void;
  stop(): Promise<void>;
}

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

    const request = (source: PaymentSource, paymentId = `pay_${randomUUID()}`): AuthorizeRequest => ({
      paymentId,
      amountCents: 15_120,
      mode: under.mode,
      description: 'License application fees',
      method: source === under.sources.bankAccount ? 'bankAccount' : 'card',
      source,
      returnUrl: 'http://127.0.0.1:9/return',
      language: 'en',
    });
    const authorized = async () => {
      const asked = request(under.sources.accepted);
      const outcome = await settled(under, asked);
      ok(outcome.status === 'authorized');
      return { paymentId: asked.paymentId, mode: under.mode };
    };

    it(`${name}: It serves its mode, and never accepts typed cards in live mode.`, () => {
      ok(under.processor.serves(under.mode));
      ok(!(under.processor.serves('live') && under.processor.cardEntry === 'typed'));
    });

    it(`${name}: Two calls with the same payment id are one authorization, also when they run at once.`, async () => {
      const asked = request(under.sources.accepted);
      await Promise.all([under.processor.authorize(asked), under.processor.authorize(asked)]);
      const first = await settled(under, asked);
      const second = await settled(under, asked);
      ok(first.status === 'authorized' && second.status === 'authorized');
      equal(first.reference, second.reference);
      match(first.cardLast4, /^(\d{4})?$/);
    });

    it(`${name}: A declined card stays declined, also when it is looked up.`, async () => {
      const asked = request(under.sources.declined);
      const outcome = await settled(under, asked);
      ok(outcome.status === 'declined');
      equal(outcome.reason, 'card_declined');
      deepEqual(await under.processor.lookUp(asked.paymentId, under.mode), outcome);
    });

    for (const how of ['pass', 'fail'] as const) {
      it(`${name}: A card with 3-D Secure leads to a page, and the user's action there decides (${how}).`, async () => {
        const asked = request(under.sources.challenged);
        const outcome = await under.processor.authorize(asked);
        ok(outcome.status === 'redirect');
        match(outcome.url, /^https?:\/\//);
        const meanwhile = await under.processor.lookUp(asked.paymentId, under.mode);
        ok(meanwhile.status === 'redirect' || meanwhile.status === 'pending');
        await under.finishChallenge(outcome.url, how);
        const ended = await under.processor.lookUp(asked.paymentId, under.mode);
        equal(ended.status, how === 'pass' ? 'authorized' : 'declined');
      });
    }

    it(`${name}: A payment that is answered later is settled by a look-up.`, async () => {
      const asked = request(under.sources.slow);
      await under.processor.authorize(asked);
      equal((await settled(under, asked)).status, 'authorized');
    });

    it(`${name}: A bank account is pending at first, and its number is not returned.`, async (test) => {
      const { bankAccount } = under.sources;
      if (!bankAccount) {
        test.skip('It only accepts cards.');
        return;
      }
      ok(under.processor.methods?.includes('bankAccount'));
      const asked = request(bankAccount);
      equal((await under.processor.authorize(asked)).status, 'pending');
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
      const asked = request(under.sources.accepted);
      under.loseAnswers(1);
      await rejects(under.processor.authorize(asked));
      const found = await under.processor.lookUp(asked.paymentId, under.mode);
      ok(found.status === 'authorized');
      const again = await under.processor.authorize(asked);
      ok(again.status === 'authorized');
      equal(again.reference, found.reference);
    });
  });
}

/**
 * Authorizes a payment, completes the processor's page if there is one, and waits for the result.
 */
async function settled(
  { processor, mode, finishChallenge }: PaymentProcessorUnderTest,
  asked: AuthorizeRequest,
): Promise<Exclude<Awaited<ReturnType<PaymentProcessor['lookUp']>>, { status: 'pending' | 'unknown' }>> {
  const outcome = await processor.authorize(asked);
  if (outcome.status === 'redirect') await finishChallenge(outcome.url, 'pass');
  const deadline = Date.now() + 10_000;
  for (;;) {
    const found = await processor.lookUp(asked.paymentId, mode);
    if (found.status !== 'pending' && found.status !== 'unknown') return found;
    if (Date.now() > deadline) throw new Error(`The payment is still ${found.status}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
