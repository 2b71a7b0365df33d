import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lateProcessor } from '../../support/late-processor.js';
import { until } from '../until.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { placeAt } from './support/shortcuts.js';
import { createVisitor, typed } from './support/visitor.js';

const challenged = { ...typed.payment, cardNumber: '4000 0027 6000 3184' };

describe('the simulated page of 3-D Secure', () => {
  let service: ApplyService;
  before(async () => {
    service = await startApplyService();
  });
  after(() => service.stop());

  async function arrive() {
    const session = await service.createSession();
    await placeAt(service, session, 'payment');
    return session;
  }
  const paymentsOf = (applicationId: string) =>
    service.context.db
      .selectFrom('payment')
      .select(['id', 'status', 'cardLast4'])
      .where('applicationId', '=', applicationId)
      .orderBy('createdAt')
      .execute();

  it('A card with 3-D Secure leads to the page of the bank and back, for every result.', async () => {
    const { applicationUrl, applicationId } = await arrive();
    for (const [choice, title, text] of [
      ['fail', /^Error: Pay the fees/, /<a href="#cardNumber">Your bank did not confirm the payment/],
      ['pass', /^Application submitted/, /Visa|4242|3184/],
    ] as const) {
      const led = await createVisitor().post(`${applicationUrl}/payment`, challenged);
      match(led.heading, /Continue at the payment page/);
      const bank = await createVisitor().get(led.url);
      match(bank.heading, /Confirm the payment with your bank/);
      ok(!bank.html.includes('Ana'), 'the page of the bank knows nothing of the application');
      const back = await createVisitor().post(`${led.url}?lang=en`, { answer: choice });
      match(back.title, title);
      match(back.html, text);
      // Answered already.
      equal((await createVisitor().get(led.url)).status, 404);
    }
    // Test mode files at once: a job captures the payment.
    const payments = await until(
      () => paymentsOf(applicationId),
      (rows) => rows.every(({ status }) => status !== 'capturing'),
    );
    const told = payments.map(({ status, cardLast4 }) => `${status} ${cardLast4}`);
    deepEqual(told, ['declined 3184', 'captured 3184']);
  });

  it('The id of a payment opens neither its page nor its application, and answers no challenge.', async () => {
    const [paid, waiting] = [await arrive(), await arrive()];
    await createVisitor().post(`${paid.applicationUrl}/payment`, typed.payment);
    await createVisitor().post(`${waiting.applicationUrl}/payment`, challenged);
    for (const { applicationId } of [paid, waiting]) {
      const id = (await paymentsOf(applicationId))[0]?.id ?? '';
      const returnToken = service.context.links.paymentReturnUrl('test', id).split('/').at(-1) ?? '';
      for (const path of [id, `${id}/`, `${id}/${'x'.repeat(43)}`, `${id}/${returnToken}`]) {
        for (const request of [{}, { method: 'POST', body: new URLSearchParams({ answer: 'pass' }) }]) {
          const response = await fetch(`${service.applyUrl}/test-processor/${path}`, {
            ...request,
            redirect: 'manual',
          });
          equal(response.status, 404, path);
          equal(response.headers.get('location'), null);
        }
      }
    }
    const [payment] = await paymentsOf(waiting.applicationId);
    equal(payment?.status, 'pending');
    match((await createVisitor().get(`${waiting.applicationUrl}/payment`)).heading, /Continue at the payment page/);
  });

  it('The page of one payment is not the page of another.', async () => {
    const [first = '', second = ''] = await Promise.all(
      [await arrive(), await arrive()].map(async ({ applicationUrl }) => {
        const led = await createVisitor().post(`${applicationUrl}/payment`, challenged);
        return led.url;
      }),
    );
    const [, token] = /([^/]+)$/.exec(first) ?? [];
    const mixed = second.replace(/[^/]+$/, token ?? '');
    equal((await createVisitor().get(second)).status, 200);
    equal((await createVisitor().get(mixed)).status, 404);
  });

  it('The page does not exist where the processor of the operator serves test mode.', async (t) => {
    const late = lateProcessor();
    const other = await startApplyService({ paymentProcessor: late.processor });
    t.after(() => other.stop());
    late.bind(other);
    const session = await other.createSession();
    await placeAt(other, session, 'payment');
    const led = await createVisitor().post(`${session.applicationUrl}/payment`, challenged);
    ok(led.url.startsWith(`${other.applyUrl}/test-processor/`));
    equal((await createVisitor().get(led.url)).status, 404);
  });
});
