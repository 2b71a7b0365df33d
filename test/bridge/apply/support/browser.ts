import { deepEqual } from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findViolations } from '../../../support/axe.js';
import { partnerOrigin } from './service.js';

/**
 * Opens a tab with a partner's site, and fails the test when a page violates its CSP or logs an
 * error.
 */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.route(`${partnerOrigin}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Partner</title><h1>Partner</h1>' }),
  );
  return page;
}

/** Fails if axe finds a violation on the current page. It checks the colours in light and dark. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  const inLight = await findViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await findViolations(page, { only: ['color-contrast'] });
  deepEqual([...inLight, ...inDark], [], what);
}

/** Presses Continue, and waits for the next page. */
export async function goOn(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('domcontentloaded'), page.click('form button[type=submit]:not([name])')]);
}
