import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Mode } from '../../contract/index.js';
import type {
  AuthorizeRequest,
  PaymentKey,
  PaymentOutcome,
  PaymentProcessor,
  PaymentSource,
} from '../ports/payment-processor.js';

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
  sources: Record<Exclude<CardName, 'slow'>, PaymentSource> & {
    /** Absent when every card is answered at once. */
    slow?: PaymentSource;
    /** Absent when only cards are accepted. */
    bankAccount?: PaymentSource;
  };
  /**
   * Acts as the user on the processor's page until it is done: enters `entry` where the page asks
   * for a card or a bank account, and passes or fails 3-D Secure. On a page that then asks for
   * another card, the user leaves: the test calls `closePage`.
   */
  finishPage(url: string, entry: EntryName, how: 'pass' | 'fail'): Promise<void>;
  /**
   * Loses the answers of the next calls of the processor after they were executed, with all their
   * retries. Absent when no answer can be lost.
   */
  loseAnswers?(count: number): void;
  stop(): Promise<void>;
}

/** A request, and what the user enters where the processor's page asks for it. */
interface Asked extends AuthorizeRequest {
  entry: EntryName;
  /** The newest reference, which the bridge keeps and passes to every later call. */
  reference: string | null;
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

    const request = (entry: EntryName): Asked => ({
      entry,
      paymentId: `pay_${randomUUID()}`,
      amountCents: 15_120,
      mode: under.mode,
      description: 'License application fees',
      method: entry === 'bankAccount' ? 'bankAccount' : 'card',
      source: under.sources[entry] ?? { kind: 'page' },
      returnUrl: 'http://127.0.0.1:9/return',
      cancelUrl: 'http://127.0.0.1:9/return/cancel',
      language: 'en',
      reference: null,
    });
    const authorized = async () => {
      const asked = request('accepted');
      const outcome = await settled(under, asked);
      ok(outcome.status === 'authorized');
      return keyOf(asked);
    };

    it(`${name}: It serves its mode, and never accepts typed cards in live mode.`, () => {
      ok(under.processor.serves(under.mode));
      ok(!(under.processor.serves('live') && under.processor.cardEntry === 'typed'));
    });

    it(`${name}: Two calls with the same payment id are one authorization, also when they run at once.`, async () => {
      const asked = request('accepted');
      const { processor } = under;
      await Promise.all([authorize(processor, asked), authorize(processor, { ...asked })]);
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
      deepEqual(await under.processor.lookUp(keyOf(asked)), outcome);
    });

    for (const how of ['pass', 'fail'] as const) {
      it(`${name}: A card with 3-D Secure leads to a page, and the user's action there decides (${how}).`, async () => {
        const asked = request('challenged');
        const outcome = await authorize(under.processor, asked);
        ok(outcome.status === 'redirect');
        match(outcome.url, /^https?:\/\//);
        const meanwhile = await lookUp(under.processor, asked);
        ok(meanwhile.status === 'redirect' || meanwhile.status === 'pending');
        await finishPage(under, asked, outcome.url, how);
        equal((await lookUp(under.processor, asked)).status, how === 'pass' ? 'authorized' : 'declined');
      });
    }

    it(`${name}: A page that the user leaves without paying is closed, and its payment is declined.`, async (test) => {
      if (under.processor.closePage === undefined) {
        test.skip('It has no page that can be closed.');
        return;
      }
      const asked = request('accepted');
      const outcome = await authorize(under.processor, asked);
      ok(outcome.status === 'redirect');
      await under.processor.closePage(keyOf(asked));
      const found = await lookUp(under.processor, asked);
      ok(found.status === 'declined');
      equal(found.reason, 'canceled');
      await under.processor.closePage(keyOf(asked));
      await under.processor.closePage(await authorized());
    });

    it(`${name}: A payment that is answered later is settled by a look-up.`, async (test) => {
      if (!under.sources.slow) {
        test.skip('It answers every card at once.');
        return;
      }
      const asked = request('slow');
      await authorize(under.processor, asked);
      equal((await settled(under, asked)).status, 'authorized');
    });

    it(`${name}: A bank account is pending at first, and its number is not returned.`, async (test) => {
      if (!under.sources.bankAccount) {
        test.skip('It only accepts cards.');
        return;
      }
      ok(under.processor.methods?.includes('bankAccount'));
      const asked = request('bankAccount');
      let first = await authorize(under.processor, asked);
      if (first.status === 'redirect') {
        await finishPage(under, asked, first.url, 'pass');
        first = await lookUp(under.processor, asked);
      }
      equal(first.status, 'pending');
      const outcome = await settled(under, asked);
      ok(outcome.status === 'authorized');
      equal(outcome.cardLast4, '');
    });

    it(`${name}: A bank account is captured and voided like a card, also where its money was taken at once.`, async (test) => {
      if (!under.sources.bankAccount) {
        test.skip('It only accepts cards.');
        return;
      }
      const { processor } = under;
      const [kept, released] = [request('bankAccount'), request('bankAccount')];
      for (const asked of [kept, released]) equal((await settled(under, asked)).status, 'authorized');
      const refund = { ...keyOf(kept), refundId: `ref_${randomUUID()}`, amountCents: 100 };
      deepEqual(await processor.refund(refund), { status: 'refused', reason: 'not_captured' });
      deepEqual(await processor.capture({ ...keyOf(kept), amountCents: 15_120 }), { status: 'done' });
      deepEqual(await processor.void(keyOf(kept)), { status: 'refused', reason: 'captured' });
      deepEqual(await processor.refund(refund), { status: 'done' });
      for (let count = 0; count < 2; count += 1) deepEqual(await processor.void(keyOf(released)), { status: 'done' });
      const late = await processor.capture({ ...keyOf(released), amountCents: 15_120 });
      deepEqual(late, { status: 'refused', reason: 'voided' });
    });

    it(`${name}: A payment that never arrived is unknown, and cannot be captured, voided or refunded.`, async () => {
      const stranger = { paymentId: `pay_${randomUUID()}`, mode: under.mode, reference: null };
      deepEqual(await under.processor.lookUp(stranger), { status: 'unknown' });
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
      const run = randomUUID();
      const refund = (refundId: string, amountCents: number) =>
        under.processor.refund({ ...payment, refundId: `ref_${refundId}_${run}`, amountCents });
      deepEqual(await refund('early', 100), { status: 'refused', reason: 'not_captured' });
      await under.processor.capture({ ...payment, amountCents: 15_120 });
      deepEqual(await refund('1', 5_000), { status: 'done' });
      deepEqual(await refund('1', 5_000), { status: 'done' });
      deepEqual(await refund('2', 10_121), { status: 'refused', reason: 'too_much' });
      deepEqual(await refund('3', 10_120), { status: 'done' });
    });

    it(`${name}: An authorization with a lost answer is found, and is not repeated.`, async (test) => {
      if (!under.loseAnswers) {
        test.skip('Answers of this processor cannot be lost.');
        return;
      }
      const asked = request('accepted');
      under.loseAnswers(1);
      await rejects(authorize(under.processor, asked));
      const found = await lookUp(under.processor, asked);
      if (under.processor.cardEntry !== 'page') equal(found.status, 'authorized');
      const paid = await ended(under, asked, found);
      ok(paid.status === 'authorized');
      const again = await authorize(under.processor, asked);
      ok(again.status === 'authorized');
      equal(again.reference, paid.reference);
    });
  });
}

function keyOf({ paymentId, mode, reference }: Asked): PaymentKey {
  return { paymentId, mode, reference };
}

/** Keeps the reference of an outcome, as the bridge does. */
function keep<Outcome extends PaymentOutcome>(asked: Asked, outcome: Outcome): Outcome {
  if (typeof outcome.reference === 'string') asked.reference = outcome.reference;
  return outcome;
}

async function authorize(processor: PaymentProcessor, asked: Asked): Promise<PaymentOutcome> {
  const { entry: _entry, reference: _reference, ...request } = asked;
  return keep(asked, await processor.authorize(request));
}

/** Looks up a payment that the processor has received, and so must know. */
async function lookUp(processor: PaymentProcessor, asked: Asked): Promise<PaymentOutcome> {
  const found = await processor.lookUp(keyOf(asked));
  ok(found.status !== 'unknown');
  return keep(asked, found);
}

/** Authorizes a payment, completes the processor's page if there is one, and waits for the result. */
async function settled(under: PaymentProcessorUnderTest, asked: Asked): Promise<EndedPayment> {
  return ended(under, asked, await authorize(under.processor, asked));
}

type EndedPayment = Exclude<PaymentOutcome, { status: 'pending' | 'redirect' }>;

async function ended(under: PaymentProcessorUnderTest, asked: Asked, begun: PaymentOutcome): Promise<EndedPayment> {
  if (begun.status === 'redirect') await finishPage(under, asked, begun.url, 'pass');
  const deadline = Date.now() + 10_000;
  for (;;) {
    const found = await lookUp(under.processor, asked);
    if (found.status === 'authorized' || found.status === 'declined') return found;
    if (Date.now() > deadline) throw new Error(`The payment is still ${found.status}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Acts as the user on the processor's page, who leaves a page that asks for another card. */
async function finishPage(
  { processor, finishPage: finish }: PaymentProcessorUnderTest,
  asked: Asked,
  url: string,
  how: 'pass' | 'fail',
): Promise<void> {
  await finish(url, asked.entry, how);
  const isFailing = asked.entry === 'declined' || how === 'fail';
  if (isFailing && (await lookUp(processor, asked)).status === 'redirect') await processor.closePage?.(keyOf(asked));
}
