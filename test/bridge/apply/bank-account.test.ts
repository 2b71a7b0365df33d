import { equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { lateProcessor } from '../../support/late-processor.js';
import { until } from '../until.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, typed, walkTo } from './support/visitor.js';

const account = {
  method: 'bankAccount',
  nameOnAccount: 'Ana Rivera',
  routingNumber: '1100 00000',
  accountNumber: '000123456789',
  accountNumberAgain: '000123456789',
};

describe('a bank account as payment method', () => {
  let service: ApplyService;
  /** Until then the bank has not answered. */
  let isHeld = false;
  const late = lateProcessor({
    lookUp: (paymentId, mode) =>
      isHeld ? Promise.resolve({ status: 'pending' }) : late.real().lookUp(paymentId, mode),
  });
  before(async () => {
    service = await startApplyService({ paymentProcessor: late.processor });
    late.bind(service);
  });
  after(() => service.stop());

  async function arrive() {
    const session = await service.createSession();
    await walkTo(createVisitor(), session, 'payment');
    const pay = (fields: Record<string, string> = {}, query = '') =>
      createVisitor().post(`${session.applicationUrl}/payment${query}`, { ...account, ...fields });
    return { ...session, pay };
  }

  it('A user can choose a bank account in both languages, and its mistakes are found before the processor is called.', async () => {
    const { applicationUrl, pay } = await arrive();
    const { html } = await createVisitor().get(`${applicationUrl}/payment`);
    match(html, /<legend>How do you want to pay\?<\/legend>/);
    match(html, /id="method-bankAccount"[\s\S]*>Bank account</);
    match((await createVisitor().get(`${applicationUrl}/payment?lang=es`)).html, /Cuenta bancaria/);
    for (const [field, value, message] of [
      ['routingNumber', '110000001', 'Enter the routing number'],
      ['routingNumber', '000000000', 'Enter the routing number'],
      ['accountNumber', '12', 'Enter the account number'],
      ['accountNumberAgain', '000123456780', 'Enter the same account number in both fields'],
      ['nameOnAccount', '', 'Enter the name on the bank account'],
      ['accountNumber', '999', 'Enter the account number'],
    ] as const) {
      const page = await pay({ [field]: value });
      equal(page.status, 422, message);
      match(page.html, new RegExp(`<a href="#${field}">${message}`));
      match(page.html, /id="method-bankAccount"[^>]*checked/s);
      ok(!/000123456789"|value="1100/.test(page.html.replace(/<details[\s\S]*?<\/details>/, '')), 'shown again');
    }
    const real = await pay({ accountNumber: '987654321', accountNumberAgain: '987654321' });
    match(real.html, /<a href="#routingNumber">This is test mode/);
  });

  it('A payment from a bank account is pending until the bank confirms it, and none of its data is kept or logged.', async () => {
    const { applicationUrl, applicationId, pay } = await arrive();
    isHeld = true;
    const waiting = await pay();
    equal(waiting.heading, 'We are checking your payment');
    match(waiting.html, /Your bank has not confirmed it yet, which can take a few days/);
    isHeld = false;
    const visitor = createVisitor();
    const receipt = await until(
      () => visitor.get(`${applicationUrl}/payment`),
      ({ heading }) => heading === 'Application submitted',
    );
    match(receipt.html, /\$249\.20, from a bank account/);
    const { rows } = await sql<{ text: string }>`select payment::text as text from payment
      where application_id = ${applicationId} union all select simulated_payment::text from simulated_payment`.execute(
      service.context.db,
    );
    for (const kept of [...rows.map(({ text }) => text), service.logged.join('')]) {
      ok(!/123456789|110000000|6789\b/.test(kept), 'a number of the account is kept');
    }
  });

  it('A user whose bank account is declined days later can pay by card.', async () => {
    const { applicationUrl, pay } = await arrive();
    await pay({ accountNumber: '000222222227', accountNumberAgain: '000222222227' });
    const declined = await until(
      () => createVisitor().get(`${applicationUrl}/payment`),
      ({ heading }) => heading === 'Pay the fees',
    );
    match(declined.html, /<a href="#method-bankAccount">Your bank declined the payment and nothing was charged/);
    const paid = await createVisitor().post(`${applicationUrl}/payment`, { method: 'card', ...typed.payment });
    equal(paid.heading, 'Application submitted');
  });
});
