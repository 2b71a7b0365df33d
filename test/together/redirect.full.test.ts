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

describe('in redirect mode the user', () => {
  it('goes to the application in the page’s place and comes back with the result', async () => {
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

  it('is told to the application with the page’s language and colors, where no server reads it', async () => {
    const page = await context.newPage();
    await page.goto(site.pageUrl);
    await page.evaluate(() => {
      Object.assign(document.querySelector('licensing-apply') ?? {}, { locale: 'es-MX', theme: 'dark' });
    });
    await page.getByRole('button', { name: 'Iniciar solicitud' }).click();
    await page.getByRole('heading', { name: 'Application', exact: true }).waitFor();
    assert.equal(new URL(page.url()).hash, '#mode=redirect&locale=es-MX&theme=dark');
  });

  it('completes once, however often the page is loaded again', async () => {
    const page = await leave();
    await page.getByRole('link', { name: 'submitted' }).click();
    await waitTold(page, 'complete');
    const returnUrl = `${site.pageUrl}?status=submitted&state=${site.requests[0]?.returnState ?? ''}`;
    await page.goto(returnUrl);
    await page.getByRole('button', { name: 'Continue application' }).waitFor();
    assert.deepEqual(await told(page, 'complete'), []);
  });

  it('comes back to an address that has a status of its own, and keeps it', async () => {
    const page = await leave();
    const returnState = site.requests[0]?.returnState ?? '';
    await page.goto(`${site.pageUrl}?status=gold&status=submitted&state=${returnState}`);
    await waitTold(page, 'complete');
    assert.equal(page.url(), `${site.pageUrl}?status=gold`);
  });

  it('who did not apply completes nothing by an address', async () => {
    const page = await context.newPage();
    for (const query of ['status=submitted', 'status=submitted&state=a', `status=submitted&state=${'a'.repeat(36)}`]) {
      await page.goto(`${site.pageUrl}?${query}`);
      await page.getByRole('button', { name: 'Start application' }).waitFor();
      await page.evaluate(() => document.querySelector('licensing-apply')?.diagnose());
      assert.deepEqual(await told(page, 'complete'), []);
      assert.equal(page.url(), `${site.pageUrl}?${query}`, 'an address that is not ours is left alone');
    }
  });

  it('who cancels can go on', async () => {
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

  it('whose session ended is told so and can start again', async () => {
    const page = await leave();
    await page.getByRole('link', { name: 'expired' }).click();
    await waitTold(page, 'error');
    await page.getByRole('button', { name: 'Continue application' }).click();
    await page.getByRole('heading', { name: 'Application', exact: true }).waitFor();
    assert.equal(site.requests[1]?.reason, 'expired');
  });

  it('comes back in another tab', async () => {
    await leave();
    const other = await context.newPage();
    await other.goto(`${site.pageUrl}?status=submitted&state=${site.requests[0]?.returnState ?? ''}`);
    await waitTold(other, 'complete');
    assert.equal(other.url(), site.pageUrl);
  });

  it('comes by the Back button and goes on', async () => {
    const page = await leave();
    await page.goBack();
    await page.getByRole('button', { name: 'Continue application' }).click();
    await page.getByRole('heading', { name: 'Application', exact: true }).waitFor();
    assert.ok(site.requests.length <= 2);
  });

  it('comes by the Back button after the submission and sees it', async () => {
    const page = await leave();
    site.setSubmitted();
    await page.goBack();
    await page.getByText('Texas', { exact: true }).waitFor();
    assert.deepEqual(await told(page, 'error'), []);
  });

  it('leaves nothing in the storage that opens the application', async () => {
    const page = await leave();
    await page.goBack();
    await page.getByRole('button', { name: 'Continue application' }).waitFor();
    const stored = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
    assert.match(stored, /app_1/);
    assert.doesNotMatch(stored, /127\.0\.0\.1|\/s\?/);
  });
});

describe('a page out of the back/forward cache', () => {
  it('was frozen while it gave way to the application, and offers to go on', async () => {
    const thawing = await launchChromium({ isolatesSites: true, ignoreDefaultArgs: [withoutBackForwardCache] });
    try {
      const page = await leave(await thawing.newContext());
      // The driver waits for a load that never comes.
      page.goBack().catch(() => undefined);
      await page.getByRole('button', { name: 'Continue application' }).waitFor();
      assert.deepEqual(await told(page, 'beforeopen'), [{ mode: 'redirect' }], 'it is the same document');
      assert.deepEqual(await told(page, 'close'), [{ outcome: 'unknown', by: 'return' }]);
      await page.getByRole('button', { name: 'Continue application' }).click();
      await page.getByRole('heading', { name: 'Application', exact: true }).waitFor();
      assert.equal(site.requests.length, 1, 'the session goes on');
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
