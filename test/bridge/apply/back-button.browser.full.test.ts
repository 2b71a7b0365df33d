import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { goOn, openTab } from './support/browser.js';
import { showApplication } from './support/browser-stage.js';
import { createVisitor, typed, walkTo } from './support/visitor.js';
import { yesTo } from './support/yes-answers.js';

// Browsers restore input after Back, also on a shared computer.
for (const javaScriptEnabled of [true, false]) {
  describe(`the Back button of Chromium, ${javaScriptEnabled ? 'with' : 'without'} script`, () => {
    const shown = showApplication();

    async function open(until: 'identity' | 'background' | 'payment'): Promise<{ page: Page; applicationUrl: string }> {
      const { applicationUrl } = await shown.service.createSession();
      await walkTo(createVisitor(), { applicationUrl }, until);
      const page = await openTab(shown.browser, { javaScriptEnabled });
      await page.goto(applicationUrl);
      return { page, applicationUrl };
    }

    const goBack = (page: Page) => page.goBack({ waitUntil: 'load' });

    it('The Back button restores no SSN.', async () => {
      const { page } = await open('identity');
      await page.fill('#ssn', typed.identity.ssn);
      await goOn(page);
      await goBack(page);
      equal(await page.inputValue('#ssn'), '');
      await page.context().close();
    });

    it('The Back button restores no answer and no detail.', async () => {
      const { page } = await open('background');
      const address = page.url();
      for (const no of await page.locator('input[value="no"]:visible').all()) await no.check();
      await page.check('#felony-yes');
      await page.fill('[name="felony.explanation"]', 'What happened');
      for (const [name, value] of Object.entries(yesTo('felony'))) {
        const field = page.locator(`[name="${name}"]`);
        if (name === 'felony' || name.endsWith('.explanation')) continue;
        if (value === 'no') await page.check(`[id="${name}-no"]`);
        else if (await page.locator(`select[name="${name}"]`).count()) await field.selectOption(value);
        else await field.fill(value);
      }
      await goOn(page);
      await goBack(page);
      equal(page.url(), address);
      equal(await page.locator('input:checked').count(), 0);
      equal(await page.inputValue('[name="felony.explanation"]'), '');
      equal(await page.inputValue('[name="felony.court"]'), '');
      await page.context().close();
    });

    it('The Back button restores no card after a declined or a successful payment.', async () => {
      const { page } = await open('payment');
      const fill = async (cardNumber: string) => {
        for (const [name, text] of Object.entries({ ...typed.payment, cardNumber })) await page.fill(`#${name}`, text);
      };
      const card = () =>
        Promise.all(['cardNumber', 'securityCode', 'expiryMonth'].map((id) => page.inputValue(`#${id}`)));
      await fill('4000 0000 0000 0002');
      await goOn(page);
      equal(await page.locator('.error-summary').count(), 1);
      await page.goto(page.url());
      await goBack(page);
      deepEqual(await card(), ['', '', '']);
      await fill('4242 4242 4242 4242');
      await goOn(page);
      await goBack(page);
      equal(await page.locator('#cardNumber').count(), 0, 'the page says that the fees are paid');
      await page.context().close();
    });
  });
}
