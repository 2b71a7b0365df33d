import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PaymentProcessor } from '../../../src/bridge/ports/payment-processor.js';
import { lateProcessor } from '../../support/late-processor.js';
import { until } from '../until.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, signAndPay, typed, walkTo } from './support/visitor.js';

describe('the payment step', () => {
  let service: ApplyService;
  const asked: string[] = [];
  const lookedUp: string[] = [];
  let notified: () => Promise<string | undefined> = () => Promise.resolve(undefined);
  let lookUp: PaymentProcessor['lookUp'] = (paymentId, mode) => late.real().lookUp(paymentId, mode);
  let authorize: PaymentProcessor['authorize'] = (request) => late.real().authorize(request);
  const late = lateProcessor({
    lookUp(paymentId, mode) {
      lookedUp.push(paymentId);
      return lookUp(paymentId, mode);
    },
    authorize(request) {
      asked.push(request.paymentId);
      return authorize(request);
    },
    readNotification: () => notified(),
  });
  before(async () => {
    service = await startApplyService({ paymentProcessor: late.processor });
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

  it('A changed answer requires another signature before anything is charged.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    await createVisitor().post(`${applicationUrl}/identity?change`, { use: 'typed', ...typed.identity });
    ok((await createVisitor().get(`${applicationUrl}/payment`)).url.endsWith('/review'));
    // Posted from a page that was open before.
    ok((await pay(applicationUrl)).url.endsWith('/review'));
    deepEqual(await toldOf(applicationId), []);
    equal((await signAndPay(createVisitor(), applicationUrl)).heading, 'Application submitted');
  });

  it('A declined card is reported without its number until another one is accepted, or the fifth was declined.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    const declining = { cardNumber: '4000 0000 0000 0002', securityCode: '987' };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const declined = await pay(applicationUrl, declining);
      equal(declined.status, 422);
      for (const { html } of [declined, await createVisitor().get(`${applicationUrl}/payment`)]) {
        match(html, /<a href="#cardNumber">Your card was declined and nothing was charged/);
        ok(!/value="(4000|987)/.test(html));
      }
      match(declined.html, /value="Ana Rivera"/);
    }
    const before = asked.length;
    const refused = await pay(applicationUrl);
    equal(refused.heading, 'You cannot try more cards here');
    ok(!refused.html.includes('name="cardNumber"'), 'nothing asks for a card that would not be tried');
    equal(asked.length, before);
    await service.context.db
      .deleteFrom('payment')
      .where('id', '=', asked.at(-1) ?? '')
      .execute();
    equal((await pay(applicationUrl)).heading, 'Application submitted');
    deepEqual((await toldOf(applicationId)).slice(-2), ['declined 0002', 'accepted 4242']);
  });

  it('A mistake is found before the processor is called, and test mode accepts no real card.', async () => {
    const { applicationUrl } = await arrive();
    const before = asked.length;
    const wrong = await pay(applicationUrl, { cardNumber: '4242 4242 4242 4241' });
    equal(wrong.status, 422);
    match(wrong.html, /Enter the card number/);
    equal(asked.length, before);
    const real = await pay(applicationUrl, { cardNumber: '5555 5555 5555 4444' });
    match(real.html, /only the documented test cards and bank accounts work/);
  });

  it('A card with 3-D Secure leads to the page of the bank and back, for every result.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    for (const [answer, title, text] of [
      ['fail', /^Error: Pay the fees/, /<a href="#cardNumber">Your bank did not confirm the payment/],
      ['pass', /^Application submitted/, /Visa|4242|3184/],
    ] as const) {
      const led = await pay(applicationUrl, { cardNumber: '4000 0027 6000 3184' });
      match(led.heading, /Continue at the payment page/);
      const bank = await createVisitor().get(led.url);
      match(bank.heading, /Confirm the payment with your bank/);
      ok(!bank.html.includes('Ana'), 'the page of the bank knows nothing of the application');
      const back = await createVisitor().post(`${led.url}?lang=en`, { answer });
      match(back.title, title);
      match(back.html, text);
      // Answered already.
      equal((await createVisitor().get(led.url)).status, 404);
    }
    deepEqual(await toldOf(applicationId), ['declined 3184', 'accepted 3184']);
  });

  it('Several clicks on the button pay once, and a page that waits for a lost answer refreshes itself.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    const before = asked.length;
    const realAuthorize = authorize;
    authorize = async (request) => {
      await realAuthorize(request);
      throw new Error('the line went dead');
    };
    const realLookUp = lookUp;
    lookUp = () => Promise.resolve({ status: 'pending' });
    const pages = await Promise.all(Array.from({ length: 4 }, () => pay(applicationUrl)));
    for (const { heading, html } of pages) {
      equal(heading, 'We are checking your payment');
      match(html, /http-equiv="refresh"/);
    }
    [authorize, lookUp] = [realAuthorize, realLookUp];
    equal(asked.length, before + 1);
    equal((await createVisitor().get(`${applicationUrl}/payment`)).heading, 'Application submitted');
    deepEqual(await toldOf(applicationId), ['accepted 4242']);
  });

  it('A notification of the processor is only a hint: a pending payment is looked up, and the response says nothing else.', async () => {
    const { applicationUrl } = await arrive();
    await pay(applicationUrl, { cardNumber: '4000 0027 6000 3184' });
    const paymentId = asked.at(-1) ?? '';
    const notify = async (body: string | ReadableStream, id: () => Promise<string | undefined>) => {
      notified = id;
      const before = lookedUp.length;
      const init = { method: 'POST', body, duplex: 'half' };
      const { status } = await fetch(`${service.applyUrl}/payments/notifications`, init);
      return [status, lookedUp.slice(before)];
    };
    const ofPayment = () => Promise.resolve(paymentId);
    deepEqual(await notify('x'.repeat(65_536), ofPayment), [204, [paymentId]]);
    deepEqual(await notify('x'.repeat(65_537), ofPayment), [413, []]);
    // Without a length, so that nothing limits it.
    deepEqual(await notify(new Blob(['x']).stream(), ofPayment), [413, []]);
    for (const id of [undefined, 'pay_unknown']) {
      deepEqual(await notify('x', () => Promise.resolve(id)), [204, []]);
    }
    deepEqual(await notify('x', () => Promise.reject(new Error('not ours'))), [204, []]);
    const realLookUp = lookUp;
    lookUp = () => Promise.reject(new Error('the line was dead'));
    deepEqual(await notify('x', ofPayment), [503, [paymentId]]);
    lookUp = () => Promise.resolve({ status: 'declined', reference: null, reason: 'card_declined' });
    deepEqual(await notify('x', ofPayment), [204, [paymentId]]);
    lookUp = realLookUp;
    deepEqual(await notify('x', ofPayment), [204, []]);
  });
});
