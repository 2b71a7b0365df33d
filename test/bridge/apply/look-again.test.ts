import { match } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { createTestProcessor } from '../../../src/bridge/apply/index.js';
import type { PaymentProcessor } from '../../../src/bridge/domain/apply/payment-processor.js';
import { launchChromium } from '../../support/chromium.js';
import { assertAccessible, openTab } from './support/browser.js';
import { startApplyService, type ApplyService } from './support/service.js';
import { createVisitor, typed, walkTo } from './support/visitor.js';

describe('a page that waits for a payment', () => {
  let service: ApplyService;
  let browser: Browser;
  let lookUp: PaymentProcessor['lookUp'] = () => Promise.resolve({ status: 'pending' });
  before(async () => {
    const processor: PaymentProcessor = {
      ...createTestProcessor({ slowMs: 0 }),
      lookUp: (id) => lookUp(id),
      charge: () => Promise.reject(new Error('the line went dead')),
    };
    [service, browser] = await Promise.all([startApplyService({ built: true, processor }), launchChromium()]);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  it('stays as it is until there is news, and shows the news by itself', async () => {
    const { applicationUrl } = await service.createSession();
    await walkTo(createVisitor(), { applicationUrl }, 'payment');
    await createVisitor().post(`${applicationUrl}/payment`, typed.payment);
    const page = await openTab(browser);
    await page.goto(`${applicationUrl}/payment`);
    await assertAccessible(page, 'pending');
    const focused = page.locator('a.button');
    await focused.focus();
    await page.waitForResponse((response) => response.url().endsWith('/payment'));
    match((await focused.and(page.locator(':focus')).textContent()) ?? '', /Look again now/);
    lookUp = () => Promise.resolve({ status: 'accepted', reference: 'ch_found' });
    await page.getByRole('heading', { name: 'Fees paid' }).waitFor();
  });
});
