import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium, withoutBackForwardCache } from '../support/chromium.js';
import { type SmallSite, type SmallSiteOptions, startSmallSite } from './small-site.js';

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

describe('the return of a redirect', () => {
  it('a user who comes back with the Back button can continue, and nothing that is stored opens the application', async () => {
    const page = await leave();
    await page.goBack();
    const button = page.getByRole('button', { name: 'Continue application' });
    await button.waitFor();
    const stored = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
    assert.match(stored, /app_1/);
    assert.doesNotMatch(stored, /127\.0\.0\.1|\/s\?/);
    await button.click();
    await seeApplication(page);
    assert.deepEqual([site.requests[1]?.reason, site.requests[1]?.applicationId], ['resume', 'app_1']);
  });

  it('licensing-complete is dispatched once when the user submits, comes back with Back, reloads and then returns', async () => {
    const page = await leave();
    const completions: string[] = [];
    await context.exposeFunction('complete', (source: string) => completions.push(source));
    // Of every document, including later ones.
    await context.addInitScript(() => {
      document.addEventListener('licensing-complete', (event) => {
        const { source } = event as Event & { source: string };
        (globalThis as unknown as { complete(source: string): void }).complete(source);
      });
    });
    site.setSubmitted();
    await page.goBack();
    await seeTexas(page);
    await page.reload();
    await seeTexas(page);
    await page.goForward();
    await page.getByRole('link', { name: 'submitted' }).click();
    await seeTexas(page);
    assert.deepEqual(completions, ['server']);
  });

  it('a page that comes out of the back/forward cache after a redirect offers to continue', async () => {
    const thawing = await launchChromium({ isolatesSites: true, ignoreDefaultArgs: [withoutBackForwardCache] });
    try {
      const page = await leave(await thawing.newContext());
      // The driver would wait for a load event that never comes.
      page.goBack().catch(() => undefined);
      await page.getByRole('button', { name: 'Continue application' }).waitFor();
      assert.deepEqual(await told(page, 'beforeopen'), [{ mode: 'redirect' }], 'it is the same document');
      assert.deepEqual(await told(page, 'close'), [{ outcome: 'unknown', by: 'return' }]);
      await page.getByRole('button', { name: 'Continue application' }).click();
      await seeApplication(page);
      assert.equal(site.requests.length, 1, 'the session continues');
    } finally {
      await thawing.close();
    }
  });

  it('a page with the `state` of another service loads nothing more than without it, and keeps its URL', async () => {
    const page = await open('redirect');
    const plain = await loadedBy(page, site.pageUrl);
    const callback = `${site.pageUrl}?code=abc&state=xyz`;
    assert.deepEqual(await loadedBy(page, callback), plain);
    assert.equal(page.url(), callback);
  });
});

describe('the return of a popup that a Cross-Origin-Opener-Policy cuts off', () => {
  it('a popup that is cut off looks closed to the element, is closed by the return page, and completes', async () => {
    const hostHeaders = { 'cross-origin-opener-policy': 'same-origin' };
    const page = await open('popup', { returnPath: '/return.html', hostHeaders });
    const opened = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Start application' }).click();
    const popup = await opened;
    await page.getByRole('button', { name: 'Continue application' }).waitFor();
    const closed = popup.waitForEvent('close');
    site.setSubmitted();
    // The return page may close the window while the driver still waits for it to load.
    await popup.getByRole('link', { name: 'submitted' }).click({ noWaitAfter: true });
    await seeTexas(page);
    assert.equal((await told(page, 'complete')).length, 1);
    await closed;
  });
});

describe('a popup that outlives a reload of the partner’s page', () => {
  it('is opened again by the card, in place of a second window of the same application', async () => {
    const page = await open('popup', { returnPath: '/return.html' });
    const opened = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Start application' }).click();
    const popup = await opened;
    await seeApplication(popup);
    await page.reload();
    const loaded = popup.waitForEvent('load');
    await page.getByRole('button', { name: 'Start application' }).click();
    await loaded;
    await seeApplication(popup);
    assert.equal(context.pages().length, 2);
    const closed = popup.waitForEvent('close');
    site.setSubmitted();
    await popup.getByRole('link', { name: 'submitted' }).click({ noWaitAfter: true });
    await seeTexas(page);
    await closed;
  });
});

async function open(mode: string, options: SmallSiteOptions = {}, visitor = context): Promise<Page> {
  site = await startSmallSite(`mode="${mode}"`, options);
  const page = await visitor.newPage();
  await page.goto(site.pageUrl);
  return page;
}

/** Starts the application, and waits until it has replaced the page. */
async function leave(visitor = context): Promise<Page> {
  const page = await open('redirect', {}, visitor);
  await page.getByRole('button', { name: 'Start application' }).click();
  await seeApplication(page);
  return page;
}

async function seeApplication(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Application', exact: true }).waitFor();
}

async function seeTexas(page: Page): Promise<void> {
  await page.getByText('Texas', { exact: true }).waitFor();
}

/** The paths of a page's requests until its network is idle. */
async function loadedBy(page: Page, url: string): Promise<string[]> {
  const paths: string[] = [];
  const onRequest = (request: { url(): string }) => paths.push(new URL(request.url()).pathname);
  page.on('request', onRequest);
  await page.goto(url, { waitUntil: 'networkidle' });
  page.off('request', onRequest);
  return paths.sort();
}

async function told(page: Page, name: string): Promise<object[]> {
  return page.evaluate(
    (wanted) =>
      (globalThis as unknown as { told: { name: string; isTrusted?: boolean }[] }).told
        .filter((event) => event.name === wanted)
        .map(({ name: _name, isTrusted: _isTrusted, ...fields }) => fields),
    name,
  );
}
