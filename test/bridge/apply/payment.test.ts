import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestProcessor } from '../../../src/bridge/apply/index.js';
import { login } from '../../../src/bridge/domain/accounts/login.js';
import type { PaymentProcessor } from '../../../src/bridge/domain/payments/card-processor.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, typed, walkTo } from './support/visitor.js';

describe('the payment step', () => {
  let service: ApplyService;
  let now = new Date();
  const charged: string[] = [];
  const real = createTestProcessor({ slowMs: 300 });
  let lookUp: PaymentProcessor['lookUp'] = (id) => real.lookUp(id);
  let charge: PaymentProcessor['charge'] = (request) => real.charge(request);
  before(async () => {
    const processor: PaymentProcessor = {
      serves: (mode) => mode === 'test',
      lookUp: (id) => lookUp(id),
      charge(request) {
        charged.push(request.paymentId);
        return charge(request);
      },
    };
    service = await startApplyService({ processor, clock: () => now });
  });
  after(() => service.stop());

  async function arrive(): Promise<string> {
    const { applicationUrl } = await service.createSession();
    await walkTo(createVisitor(), { applicationUrl }, 'payment');
    return applicationUrl;
  }

  const paymentsOf = async (applicationUrl: string) => {
    const token = applicationUrl.split('/').at(-1) ?? '';
    const rows = await service.context.db
      .selectFrom('payment')
      .innerJoin('application', 'application.id', 'payment.application_id')
      .select(['payment.status', 'payment.card_last4', 'application.session_id', 'application.link_hash'])
      .orderBy('payment.created_at')
      .execute();
    return rows
      .filter((row) => service.context.links.applicationUrl(row.session_id, row.link_hash).endsWith(token))
      .map(({ status, card_last4 }) => `${status} ${card_last4}`);
  };

  it('names what each state costs', async () => {
    const applicationUrl = await arrive();
    const { html } = await createVisitor().get(applicationUrl);
    match(html, /Texas[\s\S]*\$65\.00[\s\S]*California[\s\S]*\$75\.00[\s\S]*\$151\.20/);
  });

  it('After five declined cards, no other is charged on that link, so that it cannot be used to test card numbers.', async () => {
    const applicationUrl = await arrive();
    const visitor = createVisitor();
    const declining = { ...typed.payment, cardNumber: '4000 0000 0000 0002' };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      match((await visitor.post(`${applicationUrl}/payment`, declining)).html, /Your card was declined/);
    }
    const before = charged.length;
    for (const card of [declining, typed.payment]) {
      const refused = await visitor.post(`${applicationUrl}/payment`, card);
      equal(refused.heading, 'No more cards can be tried here');
      ok(!refused.html.includes('name="cardNumber"'), 'nothing asks for a card that would not be charged');
    }
    equal(charged.length, before);
    deepEqual(
      await paymentsOf(applicationUrl),
      Array.from({ length: 5 }, () => 'declined 0002'),
    );
  });

  it('says that a card was declined, shows no number again, and takes another one', async () => {
    const applicationUrl = await arrive();
    const visitor = createVisitor();
    const declined = await visitor.post(`${applicationUrl}/payment`, {
      ...typed.payment,
      cardNumber: '4000 0000 0000 0002',
      securityCode: '987',
    });
    equal(declined.status, 422);
    match(declined.html, /Your card was declined and nothing was charged/);
    ok(!/value="(4000|987)/.test(declined.html));
    match(declined.html, /value="Ana Rivera"/);
    const paid = await visitor.post(`${applicationUrl}/payment`, typed.payment);
    ok(paid.url.endsWith('/review'));
    deepEqual(await paymentsOf(applicationUrl), ['declined 0002', 'accepted 4242']);
    match((await visitor.get(`${applicationUrl}/payment`)).html, /ending in 4242/);
  });

  it('finds a slip in a card before anybody is asked', async () => {
    const applicationUrl = await arrive();
    const before = charged.length;
    for (const [field, value, message] of [
      ['cardNumber', '4242 4242 4242 4241', 'Enter the card number'],
      ['expiryYear', '20', 'This card has expired'],
      ['expiryMonth', '13', 'Enter the month and year'],
      ['securityCode', '12', 'Enter the security code'],
      ['nameOnCard', '', 'Enter the name on the card'],
      ['cardNumber', '5555 5555 5555 4444', 'only the documented test cards work'],
    ] as const) {
      const page = await createVisitor().post(`${applicationUrl}/payment`, { ...typed.payment, [field]: value });
      equal(page.status, 422);
      match(page.html, new RegExp(message));
    }
    equal(charged.length, before + 1);
  });

  it(
    'charges once when the button is clicked twice, also while a slow card is checked',
    { timeout: 60_000 },
    async () => {
      const applicationUrl = await arrive();
      const before = charged.length;
      const slow = { ...typed.payment, cardNumber: '4000 0000 0000 0077' };
      // As slow as it takes the other clicks to be answered: on a busy machine that is longer than any card takes.
      let redirectToNextStep = (): void => undefined;
      const others = new Promise<void>((resolve) => (redirectToNextStep = resolve));
      charge = async (request) => {
        await others;
        return real.charge(request);
      };
      let answered = 0;
      const pages = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const page = await createVisitor().post(`${applicationUrl}/payment`, slow);
          answered += 1;
          if (answered === 3) redirectToNextStep();
          return page;
        }),
      );
      charge = (request) => real.charge(request);
      equal(charged.length, before + 1);
      deepEqual(await paymentsOf(applicationUrl), ['accepted 0077']);
      const checking = 'We are checking your payment';
      deepEqual(pages.map(({ heading }) => heading).sort(), [
        'Check your answers and sign',
        checking,
        checking,
        checking,
      ]);
      ok((await createVisitor().get(applicationUrl)).url.endsWith('/review'));
    },
  );

  it('learns how a charge ended whose answer was lost', async () => {
    const applicationUrl = await arrive();
    charge = () => Promise.reject(new Error('the line went dead'));
    lookUp = () => Promise.resolve({ status: 'pending' });
    const lost = await createVisitor().post(`${applicationUrl}/payment`, typed.payment);
    equal(lost.status, 500);
    // A frame has no Back button: the page itself leads on.
    ok(lost.html.includes(`href="${new URL(applicationUrl).pathname}/payment"`));
    charge = (request) => real.charge(request);
    const waiting = await createVisitor().get(`${applicationUrl}/payment`);
    match(waiting.heading, /We are checking your payment/);
    match(waiting.html, /http-equiv="refresh"/);
    match((await createVisitor().post(`${applicationUrl}/payment`, typed.payment)).heading, /We are checking/);
    lookUp = () => Promise.resolve({ status: 'accepted', reference: 'ch_found' });
    match((await createVisitor().get(`${applicationUrl}/payment`)).heading, /Fees paid/);
    lookUp = (id) => real.lookUp(id);
    ok((await createVisitor().get(applicationUrl)).url.endsWith('/review'));
    deepEqual(await paymentsOf(applicationUrl), ['accepted 4242']);
  });

  it('lets the user pay again when a charge never arrived', async () => {
    const applicationUrl = await arrive();
    charge = () => Promise.reject(new Error('the line was dead'));
    await createVisitor().post(`${applicationUrl}/payment`, typed.payment);
    charge = (request) => real.charge(request);
    // It could still be on its way, so nothing is given up before a minute has passed.
    match((await createVisitor().get(`${applicationUrl}/payment`)).heading, /We are checking your payment/);
    now = new Date(now.getTime() + 61_000);
    match((await createVisitor().get(`${applicationUrl}/payment`)).heading, /Pay the fees/);
    ok((await createVisitor().post(`${applicationUrl}/payment`, typed.payment)).url.endsWith('/review'));
    deepEqual(await paymentsOf(applicationUrl), ['declined 4242', 'accepted 4242']);
  });

  it('goes on from a second try to pay what was paid when the session before ended', async () => {
    const { applicationUrl, applicationId } = await service.createSession();
    await walkTo(createVisitor(), { applicationUrl }, 'payment');
    await service.context.db
      .insertInto('payment')
      .values({
        id: 'pay_before',
        application_id: applicationId,
        amount_cents: 100,
        status: 'accepted',
        card_last4: '4242',
        reference: 'ch_before',
        created_at: now,
        updated_at: now,
      })
      .execute();
    const before = charged.length;
    ok((await createVisitor().post(`${applicationUrl}/payment`, typed.payment)).url.endsWith('/review'));
    equal(charged.length, before);
  });

  /** Begins a charge whose outcome is long in coming, and gives it up as lost. */
  async function giveUp(applicationUrl: string) {
    let arriveAtLast: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (arriveAtLast = resolve));
    const begun = new Promise<void>((resolve) => {
      charge = async (request) => {
        resolve();
        await held;
        return real.charge(request);
      };
    });
    const paying = createVisitor().post(`${applicationUrl}/payment`, typed.payment);
    await begun;
    charge = (request) => real.charge(request);
    now = new Date(now.getTime() + 61_000);
    match((await createVisitor().get(`${applicationUrl}/payment`)).heading, /Pay the fees/);
    return { paying, arriveAtLast };
  }

  it('keeps what was paid after it was given up as lost', async () => {
    const applicationUrl = await arrive();
    const { paying, arriveAtLast } = await giveUp(applicationUrl);
    arriveAtLast();
    ok((await paying).url.endsWith('/review'));
    deepEqual(await paymentsOf(applicationUrl), ['accepted 4242']);
  });

  it('tells the operator of a charge that came through after the user had paid again', async () => {
    const applicationUrl = await arrive();
    const { paying, arriveAtLast } = await giveUp(applicationUrl);
    ok((await createVisitor().post(`${applicationUrl}/payment`, typed.payment)).url.endsWith('/review'));
    const refunds = () => service.logged.filter((line) => line.includes('Refund it')).length;
    equal(refunds(), 0);
    arriveAtLast();
    ok((await paying).url.endsWith('/review'));
    deepEqual(await paymentsOf(applicationUrl), ['declined 4242', 'accepted 4242']);
    equal(refunds(), 1);
  });

  it('says plainly where nobody takes payments', async () => {
    const { applicationUrl } = await service.createSession({}, { mode: 'live' });
    const visitor = createVisitor();
    const real = { ssn: '219-09-9999' };
    // Before anything is asked for, and an SSN above all.
    match((await visitor.get(applicationUrl)).html, /Payment is not available yet/);
    const billed = await service.createSession({ paymentMethod: 'partner_billing' }, { mode: 'live' });
    ok(!(await visitor.get(billed.applicationUrl)).html.includes('Payment is not available'));
    ok(!(await visitor.get((await service.createSession()).applicationUrl)).html.includes('Payment is not available'));
    const page = await walkTo(visitor, { applicationUrl }, 'payment', { identity: real });
    match(page.heading, /Payment is not available yet/);
    ok(!page.html.includes('Test mode'));
    match((await visitor.post(`${applicationUrl}/payment`, typed.payment)).heading, /Payment is not available yet/);
  });

  it('goes on with another session when the first one ended while the card was charged', async () => {
    const userId = 'usr_paid_late';
    const first = await service.createSession({ userId });
    await walkTo(createVisitor(), first, 'payment');
    charge = async (request) => {
      now = new Date(now.getTime() + 86_400_000);
      return real.charge(request);
    };
    await createVisitor().post(`${first.applicationUrl}/payment`, typed.payment);
    charge = (request) => real.charge(request);
    const { clientId, testClientSecret: clientSecret } = service.credential;
    service.tokens.test = (await login(service.context, { clientId, clientSecret }, 'test')).accessToken;
    const second = await service.createSession({ userId });
    equal(second.applicationId, first.applicationId);
    const asked = await createVisitor().get(second.applicationUrl);
    match(asked.heading, /Social Security number/);
    const paid = await createVisitor().post(asked.url, { use: 'keep', ssnLastFour: '0004' });
    match(paid.heading, /Fees paid/);
    ok((await createVisitor().get(`${second.applicationUrl}/review`)).url.endsWith('/review'));
    deepEqual(await paymentsOf(second.applicationUrl), ['accepted 4242']);
  });
});
