import { equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { runPaymentJob } from '../../../src/bridge/domain/payments/run-job.js';
import type { OperationOutcome, PaymentOutcome } from '../../../src/bridge/ports/payment-processor.js';
import { lateProcessor } from '../../support/late-processor.js';
import { pdfText } from '../../support/pdf-text.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, typed, walkTo } from './support/visitor.js';

const account = {
  method: 'bankAccount',
  nameOnAccount: 'Ana Rivera',
  routingNumber: '1100 00000',
  accountNumber: '000123456789',
  accountNumberAgain: '000123456789',
};
const pending: PaymentOutcome = { status: 'pending' };
const declined: PaymentOutcome = { status: 'declined', reference: 'ba_1', reason: 'account_declined' };
const authorized: PaymentOutcome = { status: 'authorized', reference: 'ba_1', cardLast4: '' };
const messages = {
  en: /<a href="#method-bankAccount">Your bank declined the payment and nothing was charged/,
  es: /<a href="#method-bankAccount">Su banco rechazó el pago y no se cobró nada/,
};

describe('a bank account as payment method', () => {
  let service: ApplyService;
  let answer: PaymentOutcome = pending;
  let captured: OperationOutcome = { status: 'done' };
  const late = lateProcessor({
    authorize: (request) => (request.method === 'card' ? late.real().authorize(request) : Promise.resolve(answer)),
    lookUp: () => Promise.resolve(answer),
    capture: () => Promise.resolve(captured),
    readNotification: ({ body }) => Promise.resolve(body),
  });
  before(async () => {
    service = await startApplyService({ paymentProcessor: late.processor });
    late.bind(service);
  });
  after(() => service.stop());

  async function arrive() {
    const session = await service.createSession();
    await walkTo(createVisitor(), session, 'payment');
    const pay = (fields: Record<string, string> = {}) =>
      createVisitor().post(`${session.applicationUrl}/payment`, { ...account, ...fields });
    return { ...session, pay };
  }

  /** An application whose bank has not answered yet. */
  async function waitForBank() {
    answer = pending;
    const session = await arrive();
    const page = await session.pay();
    const { id: paymentId } = await service.context.db
      .selectFrom('payment')
      .select('id')
      .where('application_id', '=', session.applicationId)
      .executeTakeFirstOrThrow();
    return { ...session, page, paymentId };
  }

  it('A user can choose a bank account in both languages, and its mistakes are found before the processor is called.', async () => {
    answer = { ...declined, reason: 'test_cards_only' };
    const { applicationUrl, pay } = await arrive();
    const { html } = await createVisitor().get(`${applicationUrl}/payment`);
    match(html, /<legend>How do you want to pay\?<\/legend>/);
    match(html, /id="method-bankAccount"[\s\S]*>Bank account</);
    match((await createVisitor().get(`${applicationUrl}/payment?lang=es`)).html, /Cuenta bancaria/);
    const wrong = await pay({ routingNumber: '110000001' });
    match(wrong.html, /<a href="#routingNumber">Enter the routing number/);
    const real = await pay();
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
    answer = authorized;
    const receipt = await createVisitor().get(`${applicationUrl}/payment`);
    match(receipt.html, /\$249\.20, from a bank account/);
    const { rows } = await sql<{ text: string }>`select payment::text as text from payment
      where application_id = ${applicationId} union all select simulated_payment::text from simulated_payment`.execute(
      service.context.db,
    );
    for (const kept of [...rows.map(({ text }) => text), service.logged.join('')]) {
      ok(!/123456789|110000000|6789\b/.test(kept), 'a number of the account is kept');
    }
  });

  for (const [way, settle] of Object.entries<(paymentId: string, applicationUrl: string) => Promise<unknown>>({
    'the page looks the payment up': (_, url) => createVisitor().get(`${url}/payment`),
    'the user returns from the processor': (id) => createVisitor().get(service.context.links.paymentReturnUrl(id)),
    'the processor sends a notification': (body) =>
      fetch(`${service.applyUrl}/payments/notifications`, { method: 'POST', body }),
    'a job looks the payment up': (paymentId) => runPaymentJob(service.context, { kind: 'settle', paymentId }),
  })) {
    it(`A user whose bank declines days later is told on every visit, also where the receipt would be, when ${way}.`, async () => {
      const { applicationUrl, pay, paymentId } = await waitForBank();
      answer = declined;
      await settle(paymentId, applicationUrl);
      for (const path of ['/payment', '', '/receipt', '/receipt.pdf']) {
        const page = await createVisitor().get(`${applicationUrl}${path}`);
        equal(page.heading, 'Pay the fees', path);
        match(page.html, messages.en, path);
        match((await createVisitor().get(`${applicationUrl}${path}?lang=es`)).html, messages.es, path);
      }
      const paid = await pay({ method: 'card', ...typed.payment });
      equal(paid.heading, 'Application submitted');
      ok(!/declined/.test(paid.html));
    });
  }

  it('A user whose bank declined signs a changed application first, and is then told again.', async () => {
    const { applicationUrl, paymentId } = await waitForBank();
    answer = declined;
    await runPaymentJob(service.context, { kind: 'settle', paymentId });
    await createVisitor().post(`${applicationUrl}/identity?change`, { use: 'typed', ...typed.identity });
    ok((await createVisitor().get(`${applicationUrl}/payment`)).url.endsWith('/review'));
    match((await createVisitor().post(`${applicationUrl}/review`, typed.review)).html, messages.en);
  });

  it('The receipt and its PDF say in both languages when the bank refuses the charge after the submission.', async () => {
    const { applicationUrl, paymentId } = await waitForBank();
    [answer, captured] = [authorized, { status: 'refused', reason: 'other' }];
    await runPaymentJob(service.context, { kind: 'settle', paymentId });
    await runPaymentJob(service.context, { kind: 'capture', paymentId });
    for (const [language, text] of [
      ['en', 'Not charged: your bank or the payment processor refused it'],
      ['es', 'No se cobró: su banco o el procesador de pagos lo rechazó'],
    ] as const) {
      const { html } = await createVisitor().get(`${applicationUrl}/receipt?lang=${language}`);
      ok(html.includes(text), html);
      const pdf = await fetch(`${applicationUrl}/receipt.pdf?lang=${language}`);
      ok(
        pdfText(Buffer.from(await pdf.arrayBuffer()))
          .replaceAll(/\s+/g, ' ')
          .includes(text),
      );
    }
  });
});
