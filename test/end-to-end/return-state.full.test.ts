import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { type SmallSite, startSmallSite } from './small-site.js';

const otherPage = '/other.html';
/**
 * The path of the page that was replaced for the first application, now with another application,
 * as a server renders it for the next order.
 */
const samePath = '/apply.html?application=app_2';
const twoElements = '/two.html';
const secondApplication = 'application-id="app_2" status-url="/status?application=app_2"';

let browser: Browser;
let site: SmallSite;
let context: BrowserContext;
let completions: string[];

before(async () => {
  browser = await launchChromium({ isolatesSites: true });
});

after(() => browser.close());

beforeEach(async () => {
  const element = (attributes: string) =>
    `<licensing-apply session-url="/sessions" mode="redirect" ${attributes}></licensing-apply>`;
  site = await startSmallSite('mode="redirect"', {
    pages: {
      [otherPage]: element(secondApplication),
      [samePath]: element(secondApplication),
      [twoElements]: ['app_1', 'app_2'].map((id) => element(`id="${id}" application-id="${id}"`)).join(''),
    },
  });
  context = await browser.newContext();
  context.setDefaultTimeout(10_000);
  completions = [];
  await context.exposeFunction('complete', (source: string) => completions.push(source));
  // Of every document, including earlier ones.
  await context.addInitScript(() => {
    document.addEventListener('licensing-complete', (event) => {
      const { source } = event as Event & { source: string };
      (globalThis as unknown as { complete(source: string): void }).complete(source);
    });
  });
});

afterEach(async () => {
  await context.close();
  await site.stop();
});

describe('licensing-complete after a redirect', () => {
  it('licensing-complete is dispatched once when the user submits, comes back with Back and reloads', async () => {
    const page = await leave();
    site.setSubmitted();
    await page.goBack();
    await seeTexas(page);
    assert.deepEqual(completions, ['server']);
    for (let reload = 1; reload <= 3; reload += 1) {
      await page.reload();
      await seeTexas(page);
    }
    assert.deepEqual(completions, ['server']);
  });

  it('licensing-complete is dispatched once when the user submits, comes back with Back and then returns', async () => {
    const page = await leave();
    site.setSubmitted();
    await page.goBack();
    await seeTexas(page);
    await page.goForward();
    await page.getByRole('link', { name: 'submitted' }).click();
    await seeTexas(page);
    assert.deepEqual(completions, ['server']);
  });

  it('licensing-complete is dispatched once when the user returns, reloads and goes Back and Forward', async () => {
    const page = await leave();
    site.setSubmitted();
    await page.getByRole('link', { name: 'submitted' }).click();
    await seeTexas(page);
    assert.deepEqual(completions, ['return']);
    const returnUrl = page.url();
    for (let reload = 1; reload <= 2; reload += 1) {
      await page.reload();
      await elementIsReady(page);
    }
    await page.goBack();
    await page.getByRole('heading', { name: 'Application', exact: true }).waitFor();
    await page.goBack();
    await elementIsReady(page);
    await page.goForward();
    await page.goForward();
    assert.equal(page.url(), returnUrl);
    await elementIsReady(page);
    assert.deepEqual(completions, ['return']);
  });
});

describe('a page that names another application than the one that was left for a redirect', () => {
  for (const [where, path] of [
    ['of another path', otherPage],
    ['of the same path', samePath],
  ] as const)
    it(`a page ${where} that names another application shows and requests that one`, async () => {
      const page = await leave();
      await page.goBack();
      await page.getByRole('button', { name: 'Continue application' }).waitFor();
      site.setSubmitted();
      site.statusRequests.length = 0;
      await page.goto(new URL(path, site.pageUrl).href);
      await seeTexas(page);
      assert.equal(await shownIn(page), 'app_2');
      assert.deepEqual([...new Set(site.statusRequests)], ['app_2']);
      assert.deepEqual(completions, []);
    });
});

describe('two applications that were left for a redirect at the same time', () => {
  it('two applications return with their own outcomes in their own tabs', async () => {
    const [first, second] = [await leave(), await leave(otherPage)];
    await first.getByRole('link', { name: 'submitted' }).click();
    await waitForState(first, 'submitted');
    await second.getByRole('link', { name: 'cancelled' }).click();
    await waitForState(second, 'closed');
    assert.deepEqual([await shownIn(first), await shownIn(second)], ['app_1', 'app_2']);
    assert.deepEqual(completions, ['return']);
  });

  it('two applications of one page can both be continued when the user comes back with Back', async () => {
    const page = await leave(twoElements, '#app_1');
    await page.goBack();
    await page.locator('#app_1').getByRole('button', { name: 'Continue application' }).waitFor();
    await page.locator('#app_2').getByRole('button').click();
    await page.getByRole('heading', { name: 'Application', exact: true }).waitFor();
    await page.goBack();
    await elementIsReady(page);
    const continued = page.getByRole('button', { name: 'Continue application' });
    await page.locator('#app_2').getByRole('button', { name: 'Continue application' }).waitFor();
    await continued.nth(1).waitFor();
  });
});

describe('a page that another service redirects to with its own `state`', () => {
  it('a page with the `state` of another service loads nothing more than without it, and keeps its URL', async () => {
    const page = await context.newPage();
    const plain = await loadedBy(page, site.pageUrl);
    const callback = `${site.pageUrl}?code=abc&state=xyz`;
    assert.deepEqual(await loadedBy(page, callback), plain);
    assert.equal(page.url(), callback);
  });
});

/** The paths of a page's requests until its network is idle. */
async function loadedBy(page: Page, url: string): Promise<string[]> {
  const paths: string[] = [];
  const onRequest = (request: { url(): string }) => paths.push(new URL(request.url()).pathname);
  page.on('request', onRequest);
  await page.goto(url, { waitUntil: 'networkidle' });
  page.off('request', onRequest);
  return paths.sort();
}

/** Starts the application in a new tab, and waits until it has replaced the page. */
async function leave(path = '/apply.html', element = 'licensing-apply'): Promise<Page> {
  const page = await context.newPage();
  await page.goto(new URL(path, site.pageUrl).href);
  await page.locator(element).getByRole('button').click();
  await page.getByRole('heading', { name: 'Application', exact: true }).waitFor();
  return page;
}

async function seeTexas(page: Page): Promise<void> {
  await page.getByText('Texas', { exact: true }).waitFor();
}

/** Resolves when the whole element is loaded and has restored its state. */
async function elementIsReady(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('licensing-apply')?.diagnose());
}

async function waitForState(page: Page, state: string): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelector('licensing-apply')?.state === wanted, state);
}

async function shownIn(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.querySelector('licensing-apply')?.snapshot.applicationId);
}
