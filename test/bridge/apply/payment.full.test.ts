import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import { sql } from 'kysely';
import { runPaymentJob } from '../../../src/bridge/domain/payments/run-job.js';
import type {
  OperationOutcome,
  PaymentOutcome,
  PaymentProcessor,
} from '../../../src/bridge/ports/payment-processor.js';
import { lateProcessor } from '../../support/late-processor.js';
import { pdfText } from '../../support/pdf-text.js';
import { until } from '../until.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { placeAt } from './support/shortcuts.js';
import { createVisitor, typed } from './support/visitor.js';

const account = {
  method: 'bankAccount',
  nameOnAccount: 'Ana Rivera',
  routingNumber: '1100 00000',
  accountNumber: '000123456789',
  accountNumberAgain: '000123456789',
};
const authorized: PaymentOutcome = { status: 'authorized', reference: 'ba_1', cardLast4: '' };
const declined: PaymentOutcome = { status: 'declined', reference: 'ba_1', reason: 'account_declined' };
const messages = {
  en: /<a href="#method-bankAccount">Your bank declined the payment and nothing was charged/,
  es: /<a href="#method-bankAccount">Su banco rechazó el pago y no se cobró nada/,
};

let service: ApplyService;
const asked: string[] = [];
const lookedUp: string[] = [];
let notified: () => Promise<string | undefined> = () => Promise.resolve(undefined);
/** The answer of the bank of an account. */
let answer: PaymentOutcome;
let captured: OperationOutcome = { status: 'done' };
let lookUp: PaymentProcessor['lookUp'];
const late = lateProcessor({
  authorize(request) {
    asked.push(request.paymentId);
    return request.method === 'card' ? late.real().authorize(request) : Promise.resolve(answer);
  },
  lookUp(payment) {
    lookedUp.push(payment.paymentId);
    return lookUp(payment);
  },
  capture: () => Promise.resolve(captured),
  readNotification: () => notified(),
});
before(async () => {
  service = await startApplyService({ paymentProcessor: late.processor });
  late.bind(service);
});
beforeEach(() => {
  answer = { status: 'pending' };
  lookUp = (payment) => late.real().lookUp(payment);
});
after(() => service.stop());

async function arrive() {
  const session = await service.createSession();
  await placeAt(service, session, 'payment');
  return session;
}
const pay = (applicationUrl: string, fields: Record<string, string> = {}) =>
  createVisitor().post(`${applicationUrl}/payment`, { ...typed.payment, ...fields });
const paymentsOf = (applicationId: string) =>
  service.context.db
    .selectFrom('payment')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .orderBy('createdAt')
    .execute();
/** Test mode files at once: a job captures the payment of a submitted application. */
const toldOf = async (applicationId: string) => {
  const payments = await until(
    () => paymentsOf(applicationId),
    (rows) => rows.every(({ status }) => status !== 'capturing'),
  );
  return payments.map(({ status, cardLast4 }) => `${status} ${cardLast4}`);
};

/** An application whose bank has not answered yet. */
async function waitForBank() {
  lookUp = () => Promise.resolve(answer);
  const session = await arrive();
  const page = await pay(session.applicationUrl, account);
  return { ...session, page, paymentId: asked.at(-1) ?? '' };
}

it('The payment step follows the signature, shows the fees of each state, and submits the paid application.', async () => {
  const { applicationUrl, applicationId } = await arrive();
  const { html, url } = await createVisitor().get(applicationUrl);
  ok(url.endsWith('/payment'));
  match(html, /Step 6 of 6/);
  match(html, /Texas[\s\S]*\$50\.00[\s\S]*California[\s\S]*\$376\.00[\s\S]*\$437\.20/);
  equal((await pay(applicationUrl)).heading, 'Application submitted');
  deepEqual(await toldOf(applicationId), ['captured 4242']);
});

it('A declined card is reported without its number until another one is accepted, or the fifth was declined.', async () => {
  const { applicationUrl, applicationId } = await arrive();
  const declining = { cardNumber: '4000 0000 0000 0002', securityCode: '987' };
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const page = await pay(applicationUrl, declining);
    equal(page.status, 422);
    for (const { html } of [page, await createVisitor().get(`${applicationUrl}/payment`)]) {
      match(html, /<a href="#cardNumber">Your card was declined and nothing was charged/);
      ok(!/value="(4000|987)/.test(html));
    }
    match(page.html, /value="Ana Rivera"/);
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
  deepEqual((await toldOf(applicationId)).slice(-2), ['declined 0002', 'captured 4242']);
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
  lookUp = () => Promise.reject(new Error('the line was dead'));
  deepEqual(await notify('x', ofPayment), [503, [paymentId]]);
  lookUp = () => Promise.resolve({ status: 'declined', reference: null, reason: 'card_declined' });
  deepEqual(await notify('x', ofPayment), [204, [paymentId]]);
  // Once more after it was declined: money that the user paid late must be returned.
  deepEqual(await notify('x', ofPayment), [204, [paymentId]]);
});

it('A user can choose a bank account, and its mistakes are found before the processor is called.', async () => {
  answer = { ...declined, reason: 'test_cards_only' };
  const { applicationUrl } = await arrive();
  const { html } = await createVisitor().get(`${applicationUrl}/payment`);
  match(html, /<legend>How do you want to pay\?<\/legend>/);
  match(html, /id="method-bankAccount"[\s\S]*>Bank account</);
  const wrong = await pay(applicationUrl, { ...account, routingNumber: '110000001' });
  match(wrong.html, /<a href="#routingNumber">Enter the routing number/);
  const real = await pay(applicationUrl, account);
  match(real.html, /<a href="#routingNumber">This is test mode/);
  for (const page of [wrong, real]) {
    equal(page.status, 422);
    match(page.html, /id="method-bankAccount"[^>]*checked/s);
    match(page.html, /id="nameOnAccount"[^>]*value="Ana Rivera"/s);
    ok(!/000123456789"|value="1100/.test(page.html.replace(/<details[\s\S]*?<\/details>/, '')), 'shown again');
  }
});

it('A payment from a bank account is pending until the bank confirms it, and none of its data is kept or logged.', async () => {
  const { applicationUrl, applicationId, page } = await waitForBank();
  equal(page.heading, 'We are checking your payment');
  match(page.html, /Your bank has not confirmed it yet, which can take a few days/);
  match(page.html, /http-equiv="refresh"/);
  answer = authorized;
  const receipt = await createVisitor().get(`${applicationUrl}/payment`);
  match(receipt.html, /\$437\.20, from a bank account/);
  const { rows } = await sql<{ text: string }>`select payment::text as text from payment
      where application_id = ${applicationId} union all select simulated_payment::text from simulated_payment`.execute(
    service.context.db,
  );
  for (const kept of [...rows.map(({ text }) => text), service.logged.join('')]) {
    ok(!/123456789|110000000|(?<![\d.])6789\b/.test(kept), 'a number of the account is kept');
  }
});

it('A user whose bank declines days later is told on every visit, also where the receipt would be, and pays by card.', async () => {
  const { applicationUrl, paymentId } = await waitForBank();
  answer = declined;
  // The job comes before any page.
  await runPaymentJob(service.context, { kind: 'settle', paymentId });
  for (const path of ['/payment', '', '/receipt', '/receipt.pdf']) {
    const page = await createVisitor().get(`${applicationUrl}${path}`);
    equal(page.heading, 'Pay the fees', path);
    match(page.html, messages.en, path);
    match((await createVisitor().get(`${applicationUrl}${path}?lang=es`)).html, messages.es, path);
  }
  const paid = await pay(applicationUrl, { method: 'card' });
  equal(paid.heading, 'Application submitted');
  ok(!/declined/.test(paid.html));
});

it('A user whose bank declined signs a changed application first, and is then told again.', async () => {
  const { applicationUrl, paymentId } = await waitForBank();
  answer = declined;
  await runPaymentJob(service.context, { kind: 'settle', paymentId });
  await createVisitor().post(`${applicationUrl}/identity?change`, { use: 'typed', ...typed.identity });
  for (const page of [await createVisitor().get(`${applicationUrl}/payment`), await pay(applicationUrl)])
    ok(page.url.endsWith('/review'));
  match((await createVisitor().post(`${applicationUrl}/review`, typed.review)).html, messages.en);
});

it('The receipt and its PDF say in both languages when the bank refuses the charge after the submission.', async (t) => {
  const { applicationUrl, paymentId } = await waitForBank();
  [answer, captured] = [authorized, { status: 'refused', reason: 'other' }];
  t.after(() => (captured = { status: 'done' }));
  await runPaymentJob(service.context, { kind: 'settle', paymentId });
  await runPaymentJob(service.context, { kind: 'capture', paymentId });
  for (const [language, text] of [
    ['en', 'Not charged: your bank or the payment processor refused it'],
    ['es', 'No se cobró: su banco o el procesador de pagos lo rechazó'],
  ] as const) {
    const { html } = await createVisitor().get(`${applicationUrl}/receipt?lang=${language}`);
    ok(html.includes(text), html);
    const pdf = await fetch(`${applicationUrl}/receipt.pdf?lang=${language}`);
    const words = pdfText(Buffer.from(await pdf.arrayBuffer()));
    ok(words.replaceAll(/\s+/g, ' ').includes(text));
  }
});
