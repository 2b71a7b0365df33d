import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { licensing } from 'licensing-apply/testing';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { type Consumer, createConsumer } from '../support/consumer.js';
import { snippet } from './snippets.js';
import { serveSite, type StaticSite } from './static-site.js';

let consumer: Consumer;
let browser: Browser;
let site: StaticSite;
before(async () => {
  consumer = await createConsumer();
  await consumer.write('tags.mjs', snippet('tags.mjs'));
  const { stdout, stderr } = await consumer.run('node', ['tags.mjs']);
  const [map = '', script = '', policy = ''] = stdout.split('\n');
  assert.match(policy, /^script-src/, stderr);
  const cdn = join(consumer.folder, 'node_modules/licensing-apply/dist/cdn');
  const strict = {
    'content-security-policy': `default-src 'none'; ${policy}; style-src 'self'; img-src data:; connect-src 'self'; frame-src http://127.0.0.1:* 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types lit-html`,
  };
  const tag = '<licensing-apply session-url="/licensing/sessions"></licensing-apply>';
  const body = `<!doctype html><html lang="en"><head><title>Page</title><link rel="icon" href="data:,">${map}${script}</head><body>${tag}</body></html>`;
  const list = `<!doctype html><html lang="en"><title>List</title><link rel="icon" href="data:,"><script type="module" src="/licensing-apply/licensing-applications.js"></script><licensing-applications session-url="/licensing/sessions" allow-new></licensing-applications></html>`;
  await cp(cdn, join(consumer.folder, 'changed'), { recursive: true });
  site = await serveSite({
    '/apply.html': { body, headers: strict },
    '/applications.html': { body: list, headers: {} },
    '/changed.html': { body: body.replaceAll('"/licensing-apply/', '"/changed/'), headers: {} },
    '/done': {
      body: '<!doctype html><title>Done</title><script type="module" src="/licensing-apply/return.js"></script>',
    },
    '/licensing-apply/': cdn,
    '/changed/': join(consumer.folder, 'changed'),
  });
  browser = await launchChromium();
});
after(async () => {
  await browser.close();
  site.close();
  await consumer.remove();
});

async function open(): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ reducedMotion: 'reduce', baseURL: site.origin });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
      console.error(`refused: ${effectiveDirective} ${blockedURI} ${sample}`);
    });
  });
  return { page, problems };
}

for (const mode of ['modal', 'inline']) {
  it(`a page without a bundler works under a strict policy with trusted types and integrity, ${mode}`, async () => {
    const { page, problems } = await open();
    const user = await licensing(page, { returnUrl: `${site.origin}/done`, scenario: 'blocked' });
    await page.goto('/apply.html');
    await page.locator('licensing-apply').evaluate((element, wanted) => element.setAttribute('mode', wanted), mode);
    await user.complete();
    await user.press('Done');
    await user.expectState('awaiting-action');
    await page.getByRole('button', { name: 'Answer' }).click();
    await user.press('Answer');
    await user.close();
    await user.expectStatus({ TX: 'pending_review' });
    assert.deepEqual(problems, []);
  });
}

it('a page without a bundler shows errors, the question and Spanish under that policy too', async () => {
  const { page, problems } = await open();
  const user = await licensing(page);
  await page.goto('/apply.html');
  const element = page.locator('licensing-apply');
  await element.evaluate((each) => each.setAttribute('locale', 'es'));
  await page.getByRole('button', { name: 'Iniciar solicitud' }).waitFor();
  await user.open();
  await page.frameLocator('iframe').getByLabel('Anything').fill('words');
  await element.locator('[part~="close"]').click();
  await element.getByRole('alertdialog').waitFor();
  await element.evaluate((each: Element & { close?(options: object): unknown }) => each.close?.({ force: true }));
  await user.expectState('closed');
  await page.evaluate(() => document.body.append(document.createElement('licensing-apply')));
  await page.locator('licensing-apply').nth(1).getByRole('button').click();
  await user.expectEvent('licensing-error', { code: 'not_configured' });
  assert.deepEqual(problems, []);
});

it('a page without a bundler registers a language with the export of its script', async () => {
  const { page, problems } = await open();
  await page.goto('/apply.html');
  await page.locator('licensing-apply').evaluate(async (element) => {
    const script = document.querySelector<HTMLScriptElement>('script[src]')!.src;
    const exported = (await import(script)) as typeof import('licensing-apply');
    element.setAttribute('locale', 'he-IL');
    exported.registerLocale('he', { start: 'Start in Hebrew' });
  });
  await page.getByRole('button', { name: 'Start in Hebrew' }).waitFor();
  assert.equal(await page.locator('licensing-apply [dir]').getAttribute('dir'), 'rtl');
  assert.deepEqual(problems, []);
});

it('a page without a bundler loads no file whose content was changed', async () => {
  const { page, problems } = await open();
  const user = await licensing(page);
  const chunk = (await consumer.run('ls', ['changed/chunks'])).stdout
    .split('\n')
    .find((name) => /^controller.*\.js$/.test(name));
  const path = join(consumer.folder, 'changed/chunks', chunk ?? '');
  await writeFile(path, `${await readFile(path, 'utf8')}\n// changed`);
  await page.goto('/changed.html');
  await page.getByRole('button', { name: 'Start application' }).click();
  await user.expectEvent('licensing-error', { code: 'load_failed' });
  assert.match(problems.join('\n'), /integrity/);
});

it('a page without a bundler passes the tests that docs/testing.md shows', async () => {
  await consumer.write('package.json', JSON.stringify({ type: 'module' }));
  const files = ['licensing.spec.ts', 'scenarios.spec.ts', 'list.spec.ts'];
  for (const file of files) await consumer.write(file, snippet(file));
  const { tests } = await playwrightTest(consumer, files);
  assert.equal(tests.length, 7);
  for (const { run } of tests) await run({ page: (await open()).page });
});

/** A test with the signature of Playwright's runner. */
interface PlaywrightTest {
  name: string;
  run(fixtures: { page: Page }): Promise<void>;
}

/**
 * Imports test files with a runner of two functions instead of Playwright's, which would download
 * browsers.
 */
async function playwrightTest(consumer: Consumer, files: string[]): Promise<{ tests: PlaywrightTest[] }> {
  const runner = join(consumer.folder, 'node_modules/@playwright/test');
  await cp(new URL('./runner', import.meta.url), runner, { recursive: true });
  for (const file of files) await import(join(consumer.folder, file));
  return (await import(join(runner, 'index.js'))) as { tests: PlaywrightTest[] };
}
