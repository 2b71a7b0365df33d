import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium, withoutBackForwardCache } from '../support/chromium.js';
import { type SmallSite, startSmallSite } from './small-site.js';

let browser: Browser;
let site: SmallSite;
let context: BrowserContext;

before(async () => {
  browser = await launchChromium({ isolatesSites: true });
});

after(() => browser.close());

beforeEach(async () => {
  site = await startSmallSite('mode="redirect"');
  context = await browser.newContext();
});

afterEach(async () => {
  await context.close();
  await site.stop();
});

describe('redirect mode', () => {
  it('a redirect replaces the page with the application, and the return shows the result', async () => {
    const page = await leave();
    assert.equal(site.requests.length, 1);
    site.setSubmitted();
    await page.getByRole('link', { name: 'submitted' }).click();
    await waitTold(page, 'complete');
    assert.deepEqual(await told(page, 'complete'), [
      { applicationId: 'app_1', status: 'submitted', source: 'return', verified: false },
    ]);
    assert.deepEqual(await told(page, 'close'), [{ outcome: 'submitted', by: 'return' }]);
    await page.getByText('Texas', { exact: true }).waitFor();
    assert.equal(await page.evaluate(() => document.querySelector('licensing-apply')?.snapshot.verified), true);
    assert.equal(page.url(), `${site.pageUrl}?tab=states#top`);
  });

  it('a redirect passes language and theme in the fragment, which no server receives', async () => {
    const page = await context.newPage();
    await page.goto(site.pageUrl);
    await page.evaluate(() => {
      Object.assign(document.querySelector('licensing-apply') ?? {}, { locale: 'es-MX', theme: 'dark' });
    });
    await page.getByRole('button', { name: 'Iniciar solicitud' }).click();
    await page.getByRole('heading', { name: 'Application', exact: true }).waitFor();
    assert.equal(new URL(page.url()).hash, '#mode=redirect&locale=es-MX&theme=dark');
  });

  it('a URL completes nothing for a user who did not apply', async () => {
    const page = await context.newPage();
    for (const query of ['status=submitted', 'status=submitted&state=a', `status=submitted&state=${'a'.repeat(36)}`]) {
      await page.goto(`${site.pageUrl}?${query}`);
      await page.getByRole('button', { name: 'Start application' }).waitFor();
      await page.evaluate(() => document.querySelector('licensing-apply')?.diagnose());
      assert.deepEqual(await told(page, 'complete'), []);
      assert.equal(page.url(), `${site.pageUrl}?${query}`, 'an address that is not ours is left alone');
    }
  });

  it('a user who cancels can continue', async () => {
    const page = await leave();
    await page.getByRole('link', { name: 'cancelled' }).click();
    await waitTold(page, 'close');
    assert.deepEqual(await told(page, 'close'), [{ outcome: 'cancelled', by: 'return' }]);
    assert.equal(await page.evaluate(() => document.querySelector('licensing-apply')?.state), 'closed');
    await page.getByRole('button', { name: 'Continue application' }).click();
    await page.getByRole('heading', { name: 'Application', exact: true }).waitFor();
    const { reason, applicationId } = site.requests[1] ?? {};
    assert.deepEqual({ reason, applicationId }, { reason: 'resume', applicationId: 'app_1' });
  });

  it('a user whose session expired sees why, and can start again', async () => {
    const page = await leave();
    await page.getByRole('link', { name: 'expired' }).click();
    await waitTold(page, 'error');
    await page.getByRole('button', { name: 'Continue application' }).click();
    await page.getByRole('heading', { name: 'Application', exact: true }).waitFor();
    assert.equal(site.requests[1]?.reason, 'expired');
  });

  it('a user who comes back with the Back button can continue', async () => {
    const page = await leave();
    await page.goBack();
    await page.getByRole('button', { name: 'Continue application' }).click();
    await page.getByRole('heading', { name: 'Application', exact: true }).waitFor();
    assert.ok(site.requests.length <= 2);
  });

  it('a user who comes back with the Back button after submitting sees the status', async () => {
    const page = await leave();
    site.setSubmitted();
    await page.goBack();
    await page.getByText('Texas', { exact: true }).waitFor();
    assert.deepEqual(await told(page, 'error'), []);
  });

  it('a redirect stores nothing that opens the application', async () => {
    const page = await leave();
    await page.goBack();
    await page.getByRole('button', { name: 'Continue application' }).waitFor();
    const stored = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
    assert.match(stored, /app_1/);
    assert.doesNotMatch(stored, /127\.0\.0\.1|\/s\?/);
  });
});

describe('a page out of the back/forward cache', () => {
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
      await page.getByRole('heading', { name: 'Application', exact: true }).waitFor();
      assert.equal(site.requests.length, 1, 'the session continues');
    } finally {
      await thawing.close();
    }
  });
});

async function leave(visitor = context): Promise<Page> {
  const page = await visitor.newPage();
  await page.goto(site.pageUrl);
  await page.getByRole('button', { name: 'Start application' }).click();
  await page.getByRole('heading', { name: 'Application', exact: true }).waitFor();
  return page;
}

interface Told {
  name: string;
  [field: string]: unknown;
}

async function waitTold(page: Page, name: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => (globalThis as unknown as { told: Told[] }).told.some((event) => event.name === wanted),
    name,
  );
}

async function told(page: Page, name: string): Promise<object[]> {
  return page.evaluate(
    (wanted) =>
      (globalThis as unknown as { told: Told[] }).told
        .filter((event) => event.name === wanted)
        .map(({ name: _name, isTrusted: _isTrusted, ...fields }) => fields),
    name,
  );
}
