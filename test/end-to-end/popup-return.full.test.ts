import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { type SmallSite, startSmallSite } from './small-site.js';

let browser: Browser;
let context: BrowserContext;
let site: SmallSite;

before(async () => {
  browser = await launchChromium({ isolatesSites: true });
});

after(() => browser.close());

beforeEach(async () => {
  context = await browser.newContext();
  context.setDefaultTimeout(10_000);
});

afterEach(async () => {
  await context.close();
  await site.stop();
});

/** Starts a site with a separate return page, and opens the application in a popup. */
async function openPopup(hostHeaders: Record<string, string> = {}): Promise<{ page: Page; popup: Page }> {
  site = await startSmallSite('mode="popup"', { returnPath: '/return.html', hostHeaders });
  const page = await context.newPage();
  await page.goto(site.pageUrl);
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Start application' }).click();
  const popup = await opened;
  await popup.getByRole('heading', { name: 'Application', exact: true }).waitFor();
  return { page, popup };
}

/** Submits, which leads to the return page. */
async function submit(popup: Page): Promise<void> {
  site.setSubmitted();
  // The return page may close the window while the driver still waits for it to load.
  await popup.getByRole('link', { name: 'submitted' }).click({ noWaitAfter: true });
}

/** The status of each completion that the page received. */
function outcomes(page: Page): Promise<unknown[]> {
  return page.evaluate(() =>
    (globalThis as unknown as { told: { name: string; status?: string }[] }).told
      .filter(({ name }) => name === 'complete')
      .map(({ status }) => status),
  );
}

async function waitForState(page: Page, state: string): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelector('licensing-apply')?.state === wanted, state);
}

describe('a popup that comes to the return page', () => {
  it('a popup that comes to the return page is closed, and the element shows the outcome', async () => {
    const { page, popup } = await openPopup();
    const closed = popup.waitForEvent('close');
    await submit(popup);
    await closed;
    await page.getByText('Texas', { exact: true }).waitFor();
    assert.deepEqual(await outcomes(page), ['submitted']);
  });
});

describe('a popup that the host cut off with Cross-Origin-Opener-Policy', () => {
  const cutOff = { 'cross-origin-opener-policy': 'same-origin' };

  it('a popup that is cut off from its opener is closed by the return page, and the element shows the outcome', async () => {
    const { page, popup } = await openPopup(cutOff);
    const closed = popup.waitForEvent('close');
    await submit(popup);
    await page.getByText('Texas', { exact: true }).waitFor();
    assert.deepEqual(await outcomes(page), ['submitted']);
    await closed;
  });

  it('a popup that is cut off and looks closed to the element still reports its outcome', async () => {
    const { page, popup } = await openPopup(cutOff);
    await waitForState(page, 'closed');
    await page.getByRole('button', { name: 'Continue application' }).waitFor();
    const closed = popup.waitForEvent('close');
    await submit(popup);
    await page.getByText('Texas', { exact: true }).waitFor();
    assert.deepEqual(await outcomes(page), ['submitted']);
    await closed;
  });
});

describe('the return page of a redirect', () => {
  /** Opens the application by a redirect and returns to the return page. */
  async function returned(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Start application' }).click();
    await page.getByRole('link', { name: 'submitted' }).click();
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(page.isClosed(), false);
  }

  beforeEach(async () => {
    site = await startSmallSite('mode="redirect"', { returnPath: '/return.html' });
  });

  it('the return page of a redirect stays open in a tab that the user opened', async () => {
    const page = await context.newPage();
    await page.goto(site.pageUrl);
    await returned(page);
  });

  it('the return page of a redirect stays open in a window that another page of the partner opened', async () => {
    const portal = await context.newPage();
    await portal.goto(new URL('/return.html', site.pageUrl).href);
    const opened = context.waitForEvent('page');
    await portal.evaluate((url) => void window.open(url, '_blank', 'popup'), site.pageUrl);
    await returned(await opened);
  });
});
