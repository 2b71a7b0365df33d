import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, goOn, openTab } from './support/browser.js';
import { showApplication } from './support/browser-stage.js';
import { createVisitor, typed, walkTo } from './support/visitor.js';

describe('a link to another page while input is unsaved', () => {
  const shown = showApplication();

  async function arrive(): Promise<Page> {
    const { applicationUrl } = await shown.service.createSession();
    await walkTo(createVisitor(), { applicationUrl }, 'identity');
    const page = await openTab(shown.browser);
    await page.goto(`${applicationUrl}/identity`);
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

  it('The question about unsaved input is in the language of the page.', async () => {
    const page = await arrive();
    await page.goto(`${page.url()}?lang=es`);
    await page.fill('#ssn', typed.identity.ssn);
    await page.getByRole('link', { name: 'Atrás' }).click();
    const words = page.getByRole('alertdialog', { name: '¿Salir sin guardar esta página?' });
    deepEqual(await words.getByRole('button').allTextContents(), ['Seguir en esta página', 'Salir sin guardar']);
  });
});
