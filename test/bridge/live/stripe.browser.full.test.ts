import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.js';
import { stripeTestNumbers } from '../../support/stripe/account.js';
import { startStripeServer, type StripeServer } from '../../support/stripe/server.js';
import { signedIn, startConsole, type ConsoleService } from '../console/support.js';
import { arriveAtPayment, paymentsOf } from '../payments/live-applicant.js';
import { until } from '../until.js';

let stripe: StripeServer;
let service: ConsoleService;
let browser: Browser;
before(async () => {
  stripe = await startStripeServer();
  service = await startConsole({
    built: true,
    // Variables alone, as for an operator.
    environment: {
      BRIDGE_PAYMENT: 'stripe',
      BRIDGE_STRIPE_SECRET_KEY: stripe.restrict('live', [
        'checkout_session_write',
        'payment_intent_write',
        'charge_write',
      ]),
      BRIDGE_STRIPE_WEBHOOK_SECRET: stripe.keys.live.webhookSecret,
      BRIDGE_STRIPE_METHODS: 'card,bank_account',
      BRIDGE_STRIPE_API_URL: stripe.url,
    },
  });
  // Stripe promises to send an event at least once.
  stripe.notify(`${service.applyUrl}/payments/notifications`, 2);
  browser = await launchChromium();
});
after(async () => {
  await browser.close();
  await service.stop();
  await stripe.stop();
});

const account = () => stripe.accounts.live;

async function openPayment(applicationUrl: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${applicationUrl}/payment`);
  return page;
}

async function choose(page: Page, method: 'Card' | 'Bank account'): Promise<void> {
  await page.getByLabel(method, { exact: true }).check();
  await page.getByRole('button', { name: 'Go to the payment page' }).click();
  await page.waitForURL(`${stripe.url}/c/pay/*`);
}

async function enter(page: Page, number: string): Promise<void> {
  await page.getByLabel(/number/).fill(number);
  await page.getByRole('button', { name: /^Pay \$/ }).click();
}

test('A user pays at Stripe with 3-D Secure after a change of mind, operators file and refund, and Stripe has it all.', async () => {
  const { applicationUrl, applicationId } = await arriveAtPayment(service, { states: ['TX'] });
  const page = await openPayment(applicationUrl);
  await choose(page, 'Bank account');

  // Not a bank account after all.
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('heading', { name: 'Pay the fees' }).waitFor();
  match(await page.locator('.error-summary').innerText(), /You left the payment page before you paid/);
  await choose(page, 'Card');
  await enter(page, stripeTestNumbers.declined);
  await page.getByRole('alert').waitFor();
  await enter(page, stripeTestNumbers.challenged);
  await page.getByRole('button', { name: 'Complete' }).click();
  await page.getByRole('heading', { name: 'Application submitted' }).waitFor();

  const [left, payment] = await paymentsOf(service, applicationId);
  deepEqual([left?.status, left?.declineReason, left?.method], ['declined', 'canceled', 'bankAccount']);
  deepEqual([payment?.status, payment?.cardLast4], ['authorized', '3184']);
  const reference = payment?.reference ?? '';
  match(await page.locator('main').innerText(), new RegExp(reference));
  const intent = () => account().readIntent(reference);
  deepEqual([intent().status, intent().amount], ['requires_capture', payment?.amountCents]);

  // The fees are taken when an operator has filed.
  const operator = await signedIn(service, 'Dana', 'file');
  await operator.get(`/filings/${applicationId}/TX`);
  await operator.post(`/filings/${applicationId}/TX/claim`);
  match(
    (await operator.post(`/filings/${applicationId}/TX/filed`, { reference: 'TX-1' })).html,
    /The filing was saved/,
  );
  await until(async () => intent().status === 'succeeded');
  equal(intent().amount_received, payment?.amountCents);

  // An operator gives a part back.
  const path = `/applications/${applicationId}/refund`;
  await until(
    () => paymentsOf(service, applicationId),
    (rows) => rows.at(-1)?.status === 'captured',
  );
  const refund = /name="refund" value="([^"]+)"/.exec((await operator.get(path)).html)?.[1] ?? '';
  const reason = 'Texas waived a part of its fee';
  match((await operator.post(path, { refund, amount: '20.00', reason })).html, /The refund was saved/);
  await until(async () => account().listRefunds(reference).length > 0);
  deepEqual(
    account()
      .listRefunds(reference)
      .map(({ amount, metadata }) => [amount, metadata?.['refund_id']]),
    [[2_000, refund]],
  );

  const known = [...service.logged, JSON.stringify(await paymentsOf(service, applicationId))].join('\n');
  ok(!/4000002760003184|4000000000000002|[rs]k_live_|whsec_/.test(known));
});

test('The bank of an account answers after the user has left, and Stripe notifies the bridge, which submits.', async () => {
  const { applicationUrl, applicationId } = await arriveAtPayment(service, { states: ['TX'] });
  const page = await openPayment(applicationUrl);
  await choose(page, 'Bank account');
  await enter(page, stripeTestNumbers.bankAccount);
  await page.getByRole('heading', { name: 'We are checking your payment' }).waitFor();
  match(await page.locator('main').innerText(), /which can take a few days/);
  await page.context().close();
  const [waiting] = await paymentsOf(service, applicationId);
  equal(waiting?.status, 'pending');

  const [session] = [...account().sessions.values()].filter((each) => each.client_reference_id === waiting.id);
  account().answerBank(session?.id ?? '');
  await until(
    () => paymentsOf(service, applicationId),
    ([payment]) => payment?.status === 'authorized',
  );
  const again = await openPayment(applicationUrl);
  await again.getByRole('heading', { name: 'Application submitted' }).waitFor();
});
