import { equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertAccessible, goOn, openTab } from './support/browser.js';
import { showApplication } from './support/browser-stage.js';
import { createVisitor, typed, walkTo } from './support/visitor.js';

describe('a form that is sent while offline', () => {
  const shown = showApplication();

  it('A form that is sent offline keeps its input, says why, and is sent after the network returns.', async () => {
    const { applicationUrl } = await shown.service.createSession();
    await walkTo(createVisitor(), { applicationUrl }, 'identity');
    const page = await openTab(shown.browser);
    await page.goto(`${applicationUrl}/identity`);
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

  it('A form to a server on the same machine is sent, because it needs no network.', async () => {
    const { applicationUrl } = await shown.service.createSession();
    await walkTo(createVisitor(), { applicationUrl }, 'identity');
    const page = await openTab(shown.browser);
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'onLine', { value: false });
    });
    await page.goto(`${applicationUrl}/identity`);
    await page.fill('#ssn', typed.identity.ssn);
    await goOn(page);
    await page.waitForURL(/\/background\//);
  });
});

describe('a link that is followed while offline', () => {
  const shown = showApplication();

  it('A link that is followed offline keeps the input, shows the reason, and continues after the network returns.', async () => {
    const { applicationUrl } = await shown.service.createSession();
    await walkTo(createVisitor(), { applicationUrl }, 'identity');
    const page = await openTab(shown.browser);
    await page.goto(`${applicationUrl}/identity`);
    await page.fill('#ssn', typed.identity.ssn);
    await page.context().setOffline(true);
    const notice = page.getByRole('status');
    await page.locator('.skip').press('Enter');
    equal(await notice.count(), 0, 'a place on this page is reached');

    for (const link of ['Back', 'Español']) {
      await page.getByRole('link', { name: link }).click();
      await notice.getByText("You're offline.").waitFor();
      equal(await page.inputValue('#ssn'), typed.identity.ssn, link);
      await page.context().setOffline(false);
      await notice.waitFor({ state: 'hidden' });
      await page.context().setOffline(true);
    }

    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.waitForURL(/\/profile/);
  });

  it('A link to a server on the same machine is followed, because it needs no network.', async () => {
    const { applicationUrl } = await shown.service.createSession();
    const page = await openTab(shown.browser);
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'onLine', { value: false });
    });
    await page.goto(applicationUrl);
    await page.click('main a.button:not(.quiet)');
    await page.waitForURL(/\/profile/);
  });
});
