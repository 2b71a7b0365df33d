import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type PartnerSite, startPartnerSite } from '../leaks/partner-site.js';
import { launchChromium, withoutBackForwardCache } from '../support/chromium.js';

let browser: Browser;
let site: PartnerSite;

before(async () => {
  site = await startPartnerSite();
  browser = await launchChromium({ isolatesSites: true, ignoreDefaultArgs: [withoutBackForwardCache] });
});

after(async () => {
  await browser.close();
  await site.stop();
});

test('a page that comes out of the back/forward cache still shows the open application', async () => {
  const page = await browser.newPage();
  await page.goto(site.pageUrl);
  await page.evaluate(async (applicationUrl) => {
    const element = document.createElement('licensing-apply');
    Object.assign(element, { applicationUrl });
    document.querySelector('main')?.append(element);
    addEventListener('pageshow', ({ persisted }) => Object.assign(globalThis, { isPersisted: persisted }));
    const ready = new Promise((resolve) => {
      element.addEventListener('licensing-ready', resolve, { once: true });
    });
    await element.show();
    await ready;
  }, site.applicationUrl);
  const application = page.frameLocator('iframe');
  await application.getByRole('button', { name: 'Continue' }).click();
  await page.locator('.step', { hasText: 'Step 2 of 6' }).waitFor();
  await page.goto(`${new URL(site.pageUrl).origin}/elsewhere`);
  // The driver would wait for a load event that never comes.
  page.goBack().catch(() => undefined);
  await page.waitForFunction(() => 'isPersisted' in globalThis);
  assert.equal(await page.evaluate(() => (globalThis as { isPersisted?: boolean }).isPersisted), true);
  // The driver finds no frame in a restored page. The element does: it is the frame that goes one
  // step back.
  await page.waitForFunction(() => document.querySelector('licensing-apply')?.navigateBack());
  await page.locator('.step', { hasText: 'Step 1 of 6' }).waitFor();
  assert.equal(await page.evaluate(() => document.querySelector('licensing-apply')?.close({ force: true })), true);
  assert.equal(await page.evaluate(() => document.querySelector('licensing-apply')?.state), 'closed');
});
