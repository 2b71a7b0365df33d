import AxeBuilder from '@axe-core/playwright';
import { deepEqual } from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { partnerOrigin } from './service.js';

/** Opens a tab in which the partner's site answers, and fails the test when a page breaks a rule of its own. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.route(`${partnerOrigin}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Partner</title><h1>Partner</h1>' }),
  );
  return page;
}

/** Fails with what axe finds on the page that is shown; its colours are looked at in light and in dark. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  const { violations: inLight } = await new AxeBuilder({ page }).analyze();
  await page.emulateMedia({ colorScheme: 'dark' });
  const { violations: inDark } = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze();
  const found = [...inLight, ...inDark].map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
  deepEqual(found, [], what);
}

/** Presses the button that goes on, and waits for the page that follows. */
export async function redirectToNextStep(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('domcontentloaded'), page.click('form button[type=submit]:not([name])')]);
}

/** Fills in the fields of these names in the order in which Tab comes to them, and presses with Enter the button that goes on. */
export async function completeByKeyboard(page: Page, fields: Record<string, string | string[]>): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate(readFocus);
    const wanted = [fields[focus.name] ?? []].flat();
    if (focus.goesOn) {
      await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')]);
      return;
    }
    const [text = ''] = wanted;
    if (text === '') continue;
    if (focus.type === 'radio') await chooseRadio(page, text);
    else if (focus.type === 'checkbox' && wanted.includes(focus.value) !== focus.isChecked)
      await page.keyboard.press('Space');
    else if (focus.type === 'select-one') await page.keyboard.type(focus.options[text] ?? '');
    else if (focus.type !== 'checkbox') await page.keyboard.type(text);
  }
  throw new Error('Tab never reaches the button that goes on');
}

/** What has the focus. Runs in the page. */
function readFocus() {
  const control = document.activeElement as HTMLInputElement;
  const options = control instanceof HTMLSelectElement ? [...control.options] : [];
  return {
    name: control.name,
    type: control.type,
    value: control.value,
    isChecked: control.checked,
    options: Object.fromEntries(options.map((option) => [option.value, option.text])) as Record<string, string>,
    goesOn: control.matches('form button[type=submit]:not([name])'),
  };
}

async function chooseRadio(page: Page, wanted: string): Promise<void> {
  await page.keyboard.press('Space');
  for (let moves = 0; moves < 12; moves += 1) {
    if ((await page.evaluate(readFocus)).value === wanted) return;
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`The arrow keys never reach ${wanted}`);
}
