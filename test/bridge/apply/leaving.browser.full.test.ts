import { equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { assertAccessible, goOn, openTab } from './support/browser.js';
import { showApplication } from './support/browser-stage.js';
import { placeAt } from './support/shortcuts.js';
import { typed } from './support/visitor.js';

describe('a page with unsaved input', () => {
  const shown = showApplication();

  /** Opens the page of the SSN, which is not sent yet. */
  async function arrive({ isReportedOffline = false } = {}): Promise<Page> {
    const session = await shown.service.createSession();
    await placeAt(shown.service, session, 'identity');
    const page = await openTab(shown.browser);
    if (isReportedOffline) {
      await page.addInitScript(() => {
        Object.defineProperty(navigator, 'onLine', { value: false });
      });
    }
    await page.goto(`${session.applicationUrl}/identity`);
    return page;
  }

  const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving this page?' });

  it('A link to another page asks first, and leads there when the user wants to leave.', async () => {
    for (const [name, address] of [
      ['Back', /\/profile/],
      ['Español', /lang=es/],
    ] as const) {
      const page = await arrive();
      await page.fill('#ssn', typed.identity.ssn);
      const link = page.getByRole('link', { name });
      await link.click();
      await question(page).waitFor();
      equal(await page.evaluate(() => document.activeElement?.textContent), 'Stay on this page');
      await assertAccessible(page, 'the question');

      await page.keyboard.press('Enter');
      await question(page).waitFor({ state: 'hidden' });
      equal(await link.evaluate((element) => element === document.activeElement), true);
      equal(await page.inputValue('#ssn'), typed.identity.ssn);

      await link.click();
      await question(page).getByRole('button', { name: 'Leave without saving' }).click();
      await page.waitForURL(address);
      await page.context().close();
    }
  });

  it('A link to another page also asks after a form was rejected.', async () => {
    const page = await arrive();
    await goOn(page);
    await page.locator('.error-summary').waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await question(page).waitFor();
  });

  it('A link asks nothing without input, within the page, and when the page is saved.', async () => {
    const page = await arrive();
    await page.getByRole('link', { name: 'Español' }).click();
    await page.waitForURL(/lang=es/);
    await page.goBack();
    await page.fill('#ssn', typed.identity.ssn);
    await page.locator('.skip').press('Enter');
    equal(await question(page).count(), 0);
    await goOn(page);
    await page.waitForURL(/\/background\//);
    await page.getByRole('link', { name: 'Back' }).click();
    await page.waitForURL(/\/identity/);
  });

  it('A form that is sent offline keeps its input, says why, and is sent after the network returns.', async () => {
    const page = await arrive();
    await page.fill('#ssn', typed.identity.ssn);
    await page.context().setOffline(true);
    const button = page.locator('form button[type=submit]:not([name])');
    await button.click();
    const notice = page.getByRole('status');
    await notice.getByText("You're offline.").waitFor();
    equal(await page.inputValue('#ssn'), typed.identity.ssn);
    equal(await button.textContent(), 'Continue', 'it can be pressed again');
    await assertAccessible(page, 'offline');

    await page.context().setOffline(false);
    await notice.waitFor({ state: 'hidden' });
    await goOn(page);
    await page.waitForURL(/\/background\//);
  });

  for (const [what, answer] of [
    ['does not answer', (route: Route) => route.abort()],
    ['is replaced by the error of a proxy', (route: Route) => route.fulfill({ status: 502, body: 'Bad Gateway' })],
  ] as const)
    it(`A form that is sent while the server ${what} keeps its input, says why, and can be sent again.`, async () => {
      const page = await arrive();
      await page.fill('#ssn', typed.identity.ssn);
      await page.route('**/identity', answer);
      const button = page.locator('form button[type=submit]:not([name])');
      await button.click();
      await page.getByRole('status').getByText("We can't reach the server.").waitFor();
      equal(await page.inputValue('#ssn'), typed.identity.ssn);
      equal(await button.textContent(), 'Continue', 'it can be pressed again');

      await page.unroute('**/identity');
      await goOn(page);
      await page.waitForURL(/\/background\//);
      await page.context().close();
    });

  it('A form to a server on the same machine is sent, because it needs no network.', async () => {
    const page = await arrive({ isReportedOffline: true });
    await page.fill('#ssn', typed.identity.ssn);
    await goOn(page);
    await page.waitForURL(/\/background\//);
  });

  it('A link that is followed offline keeps the input, shows the reason, and continues after the network returns.', async () => {
    const page = await arrive();
    await page.fill('#ssn', typed.identity.ssn);
    await page.context().setOffline(true);
    const notice = page.getByRole('status');
    await page.locator('.skip').press('Enter');
    equal(await notice.count(), 0, 'a place on this page is reached');
    await page.getByRole('link', { name: 'Back' }).click();
    await notice.getByText("You're offline.").waitFor();
    equal(await page.inputValue('#ssn'), typed.identity.ssn);

    await page.context().setOffline(false);
    await notice.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.waitForURL(/\/profile/);
  });
});
