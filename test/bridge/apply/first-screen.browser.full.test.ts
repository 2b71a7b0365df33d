import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openTab } from './support/browser.js';
import { showApplication } from './support/browser-stage.js';
import { placeAt } from './support/shortcuts.js';

const screens = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

describe('the first screen of a page of the hosted application', () => {
  const shown = showApplication({ environment: { BRIDGE_OPERATOR_NAME: 'Fernhill Licensing' } });

  /** Fails when the control, or a part of it, is below the window. */
  async function assertInView(page: Page, selector: string, what: string): Promise<void> {
    const box = await page.locator(selector).first().boundingBox();
    const bottom = box ? box.y + box.height : NaN;
    const { height = 0 } = page.viewportSize() ?? {};
    ok(bottom <= height, `${what}: it ends at ${bottom} of ${height} pixels`);
  }

  it('A user sees Start, and on the next page the first field, without scrolling, on a desktop and on a phone.', async () => {
    const { applicationUrl } = await shown.service.createSession();
    for (const viewport of screens) {
      for (const language of ['en', 'es']) {
        const page = await openTab(shown.browser, { viewport });
        const what = `${viewport.width} pixels wide, in ${language}`;
        await page.goto(`${applicationUrl}?lang=${language}`);
        await assertInView(page, 'main a.button', `Start, ${what}`);
        await page.goto(`${applicationUrl}/profile?lang=${language}`);
        await assertInView(page, 'main form :is(input:not([type=hidden]), select)', `the first field, ${what}`);
        await page.context().close();
      }
    }
  });

  it('A user reads why the application asks at once for an SSN and for the first answers, and otherwise on request and on paper.', async () => {
    const { applicationUrl } = await shown.service.createSession();
    await placeAt(shown.service, { applicationUrl }, 'disclosures');
    // Without script, because a browser opens and prints the text by itself.
    const page = await openTab(shown.browser, { javaScriptEnabled: false });
    const reason = page.locator('.reason dl');
    const seen: Record<string, boolean> = {};
    for (const path of ['profile/names', 'identity', 'background/criminal', 'background/financial', 'disclosures']) {
      await page.goto(`${applicationUrl}/${path}?change`);
      seen[path] = await reason.isVisible();
    }
    deepEqual(seen, {
      'profile/names': false,
      identity: true,
      'background/criminal': true,
      'background/financial': false,
      disclosures: false,
    });

    await page.emulateMedia({ media: 'print' });
    ok(await reason.isVisible(), 'on paper');
    await page.emulateMedia({ media: 'screen' });
    await page.locator('.reason summary').focus();
    await page.keyboard.press('Enter');
    ok(await reason.isVisible(), 'with the keyboard');
    await page.context().close();
  });

  it('A user sees the first control of a page in the upper half of the screen, and signs on a page of a few screens.', async () => {
    const { applicationUrl } = await shown.service.createSession();
    await placeAt(shown.service, { applicationUrl }, 'payment');
    const control =
      'main :is(input:not([type=hidden]), select, button, a.button, .change a, .statement summary):visible';
    const lowest = [480, 520];
    for (const [index, viewport] of screens.entries()) {
      const page = await openTab(shown.browser, { viewport });
      const first = async (path: string) => {
        await page.goto(`${applicationUrl}/${path}`);
        return (await page.locator(control).first().boundingBox())?.y ?? NaN;
      };
      const paths = ['profile/names', 'profile/contact', 'profile/home', 'profile/exam/TX', 'profile/fingerprints/TX'];
      const failures: string[] = [];
      for (const path of [...paths.map((each) => `${each}?change`), 'disclosures?change', 'review', 'payment']) {
        const y = await first(path);
        if (!(y <= (lowest[index] ?? 0))) failures.push(`${path}, ${viewport.width} pixels wide: ${y}`);
      }
      await page.goto(`${applicationUrl}/review`);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      if (height > (index === 0 ? 3_000 : 5_000)) failures.push(`the review, ${viewport.width} pixels wide: ${height}`);
      // A narrow column would break the names of the pages.
      const term = page.locator('.summary.provided dt').last();
      const width = (await term.boundingBox())?.width ?? 0;
      if (width < 180) failures.push(`the name of a page, ${viewport.width} pixels wide: ${width}`);
      deepEqual(failures, []);
      await page.context().close();
    }
  });

  it('The review has one link that changes a page, and the receipt begins with the way back to the partner.', async () => {
    const { applicationUrl } = await shown.service.createSession();
    await placeAt(shown.service, { applicationUrl }, 'payment');
    const page = await openTab(shown.browser);
    await page.goto(`${applicationUrl}/review`);
    equal(await page.locator('main a[href*="/profile/names?change"]').count(), 1);
    equal(await page.locator('main a[href*="/profile/names?change"]').textContent(), 'Change Your name');
    const { applicationUrl: submitted } = await shown.service.createSession();
    await placeAt(shown.service, { applicationUrl: submitted }, 'receipt');
    await page.goto(submitted);
    await assertInView(page, '#done', 'the way back');
    await page.context().close();
  });

  it('On a phone the header is one row, and so is the progress.', async () => {
    const { applicationUrl } = await shown.service.createSession();
    await placeAt(shown.service, { applicationUrl }, 'background');
    for (const language of ['en', 'es']) {
      const page = await openTab(shown.browser, { viewport: { width: 390, height: 844 } });
      await page.goto(`${applicationUrl}?lang=${language}`);
      const heightOf = async (selector: string) => (await page.locator(selector).boundingBox())?.height ?? NaN;
      ok((await heightOf('.masthead-row')) < 70, `the header in ${language}`);
      equal(await heightOf('.progress p'), await heightOf('.progress strong'), `the progress in ${language}`);
      await page.context().close();
    }
  });
});
