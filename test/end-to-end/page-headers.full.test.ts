import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type ScriptedPageServer, startScriptedPage } from 'licensing-apply/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { serveSite, type StaticSite } from '../package/static-site.js';
import { launchChromium } from '../support/chromium.js';

let browser: Browser;
let partner: StaticSite;
let hosted: ScriptedPageServer;
let context: BrowserContext;

before(async () => {
  partner = await serveSite({
    '/cdn/': fileURLToPath(new URL('../../dist/cdn/', import.meta.url)),
    '/return.html': { body: html('<h1>Welcome back</h1><script type="module" src="/cdn/return.js"></script>') },
    '/isolated.html': { body: element('popup'), headers: { 'cross-origin-opener-policy': 'same-origin' } },
    '/framed.html': { body: element('auto') },
    '/': { body: html('<iframe src="/framed.html" width="800" height="600"></iframe>') },
  });
  hosted = await startScriptedPage({ allowedOrigins: [partner.origin] });
  browser = await launchChromium({ isolatesSites: true });
});

after(async () => {
  await browser.close();
  partner.close();
  await hosted.close();
});

beforeEach(async () => {
  context = await browser.newContext();
});

afterEach(() => context.close());

describe('a popup that a Cross-Origin-Opener-Policy of the page cuts off', () => {
  it('a popup that is cut off looks closed, and its return to this site still completes the application', async () => {
    const { page, popup } = await openWindow('isolated.html');
    await runPastClosedPopup(page);
    assert.deepEqual(await told(page), ['close unknown window']);
    await apply(popup);
    const closed = popup.waitForEvent('close');
    await popup.getByRole('button', { name: 'Done' }).click();
    await closed;
    await page.waitForFunction(() => globalThis.told.length === 2);
    assert.deepEqual(await told(page), ['close unknown window', 'complete return']);
  });

  it('a popup that is cut off looks closed, and the server still reports that the application was submitted', async () => {
    const server = { isSubmitted: false };
    await context.route('**/status', (route) => route.fulfill({ json: application(server) }));
    const { page, popup } = await openWindow('isolated.html');
    await runPastClosedPopup(page);
    await apply(popup);
    server.isSubmitted = true;
    await page.clock.runFor(60_000);
    await page.waitForFunction(() => globalThis.told.length === 2);
    assert.deepEqual(await told(page), ['close unknown window', 'complete server']);
  });
});

describe('mode auto in a page that is framed itself', () => {
  it('mode auto opens a popup in a framed page, and the application connects to that page', async () => {
    const page = await context.newPage();
    // Another name of the same machine, so that the frame is on another site.
    await page.goto(partner.origin.replace('//localhost', '//127.0.0.1'));
    await page.evaluate(
      (address) => document.querySelector('iframe')?.setAttribute('src', address),
      link('framed.html'),
    );
    const frame = page.frameLocator('iframe');
    const opened = context.waitForEvent('page');
    await frame.getByRole('button', { name: 'Start application' }).click();
    await apply(await opened);
    await frame.getByRole('heading', { name: 'Application submitted' }).waitFor();
    assert.deepEqual(await page.frames()[1]?.evaluate(() => globalThis.told), ['complete message']);
  });
});

declare global {
  /** The outcomes in the element's events. */
  var told: string[];
}

function link(name: string): string {
  return `${partner.origin}/${name}?hosted=${hosted.origin}`;
}

async function openWindow(name: string): Promise<{ page: Page; popup: Page }> {
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(link(name));
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Start application' }).click();
  const popup = await opened;
  await popup.getByRole('button', { name: 'Continue' }).waitFor();
  assert.equal(await popup.evaluate(() => globalThis.opener as unknown), null);
  return { page, popup };
}

/** The element polls the popup and waits for a late return. */
async function runPastClosedPopup(page: Page): Promise<void> {
  await page.clock.runFor(5_000);
}

async function apply(popup: Page): Promise<void> {
  const step = popup.locator('#step');
  for (let index = 1; index <= 6; index += 1) {
    await step.getByText(`Step ${index} of 6`).waitFor();
    await popup.getByRole('button', { name: 'Continue' }).click();
  }
}

async function told(page: Page): Promise<string[]> {
  return page.evaluate(() => globalThis.told);
}

function application({ isSubmitted }: { isSubmitted: boolean }) {
  const progress = isSubmitted ? { step: 'submitted', index: 6, count: 6 } : { step: 'identity', index: 2, count: 6 };
  const states = isSubmitted ? [{ state: 'TX', status: 'pending_review', updatedAt: '2026-11-20T12:00:00Z' }] : [];
  return { applicationId: 'app_test', progress, states };
}

/** The element, with sessions of the host in the query. */
function element(mode: string): string {
  return html(`<script type="module" src="/cdn/licensing-apply.js"></script>
    <licensing-apply mode="${mode}"></licensing-apply>
    <script type="module">
      globalThis.told = [];
      const element = document.querySelector('licensing-apply');
      element.addEventListener('licensing-complete', ({ source }) => told.push('complete ' + source));
      element.addEventListener('licensing-close', ({ outcome, by }) => told.push('close ' + outcome + ' ' + by));
      const hosted = new URLSearchParams(location.search).get('hosted');
      element.sessionProvider = ({ returnState }) => {
        const returnUrl = encodeURIComponent(location.origin + '/return.html?state=' + returnState);
        const applicationUrl = hosted + '/complete/app_test?returnUrl=' + returnUrl;
        return { applicationUrl, applicationId: 'app_test', statusUrl: '/status' };
      };
    </script>`);
}

function html(content: string): string {
  return `<!doctype html><html lang="en"><title>Partner</title><link rel="icon" href="data:,">${content}</html>`;
}
