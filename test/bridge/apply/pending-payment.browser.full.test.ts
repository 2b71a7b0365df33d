import { match } from 'node:assert/strict';
import { it } from 'node:test';
import type { PaymentProcessor } from '../../../src/bridge/ports/payment-processor.js';
import { lateProcessor } from '../../support/late-processor.js';
import { assertAccessible, openTab } from './support/browser.js';
import { showApplication } from './support/browser-stage.js';
import { createVisitor, typed, walkTo } from './support/visitor.js';

let lookUp: PaymentProcessor['lookUp'] = () => Promise.resolve({ status: 'pending' });
const { processor } = lateProcessor({
  lookUp: (payment) => lookUp(payment),
  authorize: () => Promise.reject(new Error('the line went dead')),
  capture: () => Promise.resolve({ status: 'done' }),
});
const shown = showApplication({ paymentProcessor: processor });

it('A page that waits for a payment stays as it is until the status changes, and then shows it by itself.', async () => {
  const { applicationUrl } = await shown.service.createSession();
  await walkTo(createVisitor(), { applicationUrl }, 'payment');
  await createVisitor().post(`${applicationUrl}/payment`, typed.payment);
  const page = await openTab(shown.browser);
  // A user who skipped to the content, which adds a fragment to the URL.
  await page.goto(`${applicationUrl}/payment#main`);
  await assertAccessible(page, 'pending');
  const focused = page.locator('a.button');
  await focused.focus();
  await page.waitForResponse((response) => response.url().endsWith('/payment'));
  match((await focused.and(page.locator(':focus')).textContent()) ?? '', /Check again now/);
  lookUp = () => Promise.resolve({ status: 'authorized', reference: 'ch_found', cardLast4: '4242' });
  await page.getByRole('heading', { name: 'Application submitted' }).waitFor();
});
