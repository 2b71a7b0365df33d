import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PaymentProcessor } from '../../../src/bridge/ports/payment-processor.js';
import { lateProcessor } from '../../support/late-processor.js';
import { until } from '../until.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, signAndPay, typed, walkTo } from './support/visitor.js';

describe('the payment step', () => {
  let service: ApplyService;
  let now = new Date();
  const asked: string[] = [];
  const late = lateProcessor({
    lookUp: (paymentId, mode) => lookUp(paymentId, mode),
    authorize(request) {
      asked.push(request.paymentId);
      return authorize(request);
    },
  });
  const realAuthorize: PaymentProcessor['authorize'] = (request) => late.real().authorize(request);
  const realLookUp: PaymentProcessor['lookUp'] = (paymentId, mode) => late.real().lookUp(paymentId, mode);
  let [authorize, lookUp] = [realAuthorize, realLookUp];
  before(async () => {
    service = await startApplyService({ paymentProcessor: late.processor, clock: () => now });
    late.bind(service);
  });
  after(() => service.stop());

  async function arrive() {
    const session = await service.createSession();
    await walkTo(createVisitor(), session, 'payment');
    return session;
  }
  const pay = (applicationUrl: string, card: Record<string, string> = {}) =>
    createVisitor().post(`${applicationUrl}/payment`, { ...typed.payment, ...card });
  const paymentsOf = (applicationId: string) =>
    service.context.db
      .selectFrom('payment')
      .selectAll()
      .where('application_id', '=', applicationId)
      .orderBy('created_at')
      .execute();
  const toldOf = async (applicationId: string) =>
    (await paymentsOf(applicationId)).map(({ status, card_last4 }) => `${status} ${card_last4}`);

  it('The payment step follows the signature, shows the fees of each state, and submits the paid application.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    const { html, url } = await createVisitor().get(applicationUrl);
    ok(url.endsWith('/payment'));
    match(html, /Step 6 of 6/);
    match(html, /Texas[\s\S]*\$50\.00[\s\S]*California[\s\S]*\$188\.00[\s\S]*\$249\.20/);
    equal((await pay(applicationUrl)).heading, 'Application submitted');
    deepEqual(await toldOf(applicationId), ['accepted 4242']);
    // Test mode files at once: a job captures the payment.
    await until(
      () => paymentsOf(applicationId),
      ([row]) => row?.captured_at !== null,
    );
  });

  it('A changed answer requires another signature, and the payment is kept.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    await createVisitor().post(`${applicationUrl}/identity?change`, { use: 'typed', ...typed.identity });
    ok((await createVisitor().get(`${applicationUrl}/payment`)).url.endsWith('/review'));
    // Posted from a page that was open before.
    ok((await pay(applicationUrl)).url.endsWith('/review'));
    deepEqual(await toldOf(applicationId), []);
    equal((await signAndPay(createVisitor(), applicationUrl)).heading, 'Application submitted');
  });

  it('After five declined cards, no other is tried on that link, so that it cannot be used to test card numbers.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    const declining = { cardNumber: '4000 0000 0000 0002' };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      match((await pay(applicationUrl, declining)).html, /Your card was declined/);
    }
    const before = asked.length;
    for (const card of [declining, {}]) {
      const refused = await pay(applicationUrl, card);
      equal(refused.heading, 'You cannot try more cards here');
      ok(!refused.html.includes('name="cardNumber"'), 'nothing asks for a card that would not be tried');
    }
    equal(asked.length, before);
    deepEqual(
      await toldOf(applicationId),
      Array.from({ length: 5 }, () => 'declined 0002'),
    );
  });

  it('A declined card is reported, its number is not shown again, and another card is accepted.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    const declined = await pay(applicationUrl, { cardNumber: '4000 0000 0000 0002', securityCode: '987' });
    equal(declined.status, 422);
    match(declined.html, /Your card was declined and nothing was charged/);
    ok(!/value="(4000|987)/.test(declined.html));
    match(declined.html, /value="Ana Rivera"/);
    equal((await pay(applicationUrl)).heading, 'Application submitted');
    deepEqual(await toldOf(applicationId), ['declined 0002', 'accepted 4242']);
  });

  it('A mistake in a card number is found before the processor is called.', async () => {
    const { applicationUrl } = await arrive();
    const before = asked.length;
    for (const [field, value, message] of [
      ['cardNumber', '4242 4242 4242 4241', 'Enter the card number'],
      ['expiryYear', '20', 'This card has expired'],
      ['expiryMonth', '13', 'Enter the month and year'],
      ['securityCode', '12', 'Enter the security code'],
      ['nameOnCard', '', 'Enter the name on the card'],
      ['cardNumber', '5555 5555 5555 4444', 'only the documented test cards and bank accounts work'],
    ] as const) {
      const page = await pay(applicationUrl, { [field]: value });
      equal(page.status, 422);
      match(page.html, new RegExp(message));
    }
    equal(asked.length, before + 1);
  });

  it('A card with 3-D Secure leads to the page of the bank and back, for every result.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    const challenged = { cardNumber: '4000 0027 6000 3184' };
    for (const [answer, heading] of [
      ['fail', 'Error: Pay the fees'],
      ['pass', 'Application submitted'],
    ] as const) {
      const led = await pay(applicationUrl, challenged);
      match(led.heading, /Continue at the payment page/);
      const bank = await createVisitor().get(led.url);
      match(bank.heading, /Confirm the payment with your bank/);
      ok(!bank.html.includes('Ana'), 'the page of the bank knows nothing of the application');
      const back = await createVisitor().post(led.url, { answer });
      match(back.title, new RegExp(`^${heading}`));
    }
    deepEqual(await toldOf(applicationId), ['declined 3184', 'accepted 3184']);
  });

  it('Several clicks on the button pay once, also while a card is being checked.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    const before = asked.length;
    // Slow enough for the other clicks to be answered.
    let answerAtLast = (): void => undefined;
    const others = new Promise<void>((resolve) => (answerAtLast = resolve));
    authorize = async (request) => {
      await others;
      return realAuthorize(request);
    };
    let answered = 0;
    const pages = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const page = await pay(applicationUrl);
        answered += 1;
        if (answered === 3) answerAtLast();
        return page;
      }),
    );
    authorize = realAuthorize;
    equal(asked.length, before + 1);
    deepEqual(await toldOf(applicationId), ['accepted 4242']);
    const checking = 'We are checking your payment';
    deepEqual(pages.map(({ heading }) => heading).sort(), ['Application submitted', checking, checking, checking]);
  });

  it('The result of a payment whose response was lost is read from the processor, and the application is submitted.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    authorize = async (request) => {
      await realAuthorize(request);
      throw new Error('the line went dead');
    };
    lookUp = () => Promise.resolve({ status: 'pending' });
    const waiting = await pay(applicationUrl);
    match(waiting.heading, /We are checking your payment/);
    match(waiting.html, /http-equiv="refresh"/);
    authorize = realAuthorize;
    match((await pay(applicationUrl)).heading, /We are checking/);
    lookUp = realLookUp;
    equal((await createVisitor().get(`${applicationUrl}/payment`)).heading, 'Application submitted');
    deepEqual(await toldOf(applicationId), ['accepted 4242']);
  });

  it('The user can pay again when a payment never reached the processor.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    authorize = () => Promise.reject(new Error('the line was dead'));
    await pay(applicationUrl);
    authorize = realAuthorize;
    // It could still arrive, so it is recorded as lost only after a minute.
    match((await createVisitor().get(`${applicationUrl}/payment`)).heading, /We are checking your payment/);
    now = new Date(now.getTime() + 61_000);
    match((await createVisitor().get(`${applicationUrl}/payment`)).heading, /Pay the fees/);
    equal((await pay(applicationUrl)).heading, 'Application submitted');
    deepEqual(await toldOf(applicationId), ['declined 4242', 'accepted 4242']);
  });

  it('A late payment is released when the user has paid again meanwhile.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    let arriveAtLast = (): void => undefined;
    const held = new Promise<void>((resolve) => (arriveAtLast = resolve));
    authorize = async (request) => {
      await held;
      return realAuthorize(request);
    };
    const first = pay(applicationUrl);
    await until(
      () => paymentsOf(applicationId),
      (rows) => rows.length === 1,
    );
    authorize = realAuthorize;
    now = new Date(now.getTime() + 61_000);
    match((await createVisitor().get(`${applicationUrl}/payment`)).heading, /Pay the fees/);
    equal((await pay(applicationUrl)).heading, 'Application submitted');
    arriveAtLast();
    equal((await first).heading, 'Application submitted');
    await until(
      () => paymentsOf(applicationId),
      ([lost]) => lost?.voided_at !== null,
    );
    deepEqual(await toldOf(applicationId), ['declined 4242', 'accepted 4242']);
  });

  it('An application that was paid before the signature, in the previous version, is submitted.', async () => {
    const session = await service.createSession();
    await walkTo(createVisitor(), session, 'review');
    const { applicationUrl, applicationId } = session;
    const times = { created_at: now, updated_at: now };
    await service.context.db
      .insertInto('payment')
      .values({
        id: 'pay_before',
        application_id: applicationId,
        amount_cents: 100,
        status: 'accepted',
        ...times,
        card_last4: '4242',
        reference: 'ch_before',
      })
      .execute();
    const before = asked.length;
    const sent = await createVisitor().post(`${applicationUrl}/review`, typed.review);
    equal(sent.heading, 'Application submitted');
    equal(asked.length, before);
  });

  it('A signed and paid application is submitted although its link expired while the card was checked.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    authorize = (request) => {
      now = new Date(now.getTime() + 86_400_000);
      return realAuthorize(request);
    };
    equal((await pay(applicationUrl)).heading, 'Application submitted');
    authorize = realAuthorize;
    deepEqual(await toldOf(applicationId), ['accepted 4242']);
  });
});
