import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { licensing, type Licensing } from 'licensing-apply/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { serveSite, type StaticSite } from '../package/static-site.js';
import { chromiumArguments, programPath } from '../support/programs.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Defines the tests of the component in a version of React. `alias`: the folder of its packages.
 * Default: their usual names.
 */
export function describeComponent(version: string, alias: Record<string, string> = {}): void {
  describe(`the component in ${version}, in strict mode`, () => {
    let folder: string;
    let browser: Browser;
    let site: StaticSite;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'licensing-apply-react-'));
      const lib = { entry: join(root, 'test/react/app.ts'), formats: ['es' as const], fileName: 'app' };
      await build({
        root,
        configFile: false,
        publicDir: false,
        logLevel: 'error',
        resolve: { alias },
        define: { 'process.env.NODE_ENV': '"development"' },
        build: { lib, outDir: folder },
      });
      const page = (inside: string) =>
        `<!doctype html><html lang="en"><title>React</title><link rel="icon" href="data:,"><div id="app">${inside}</div><script type="module" src="/app.js"></script>`;
      const rendered = '<licensing-apply session-url="/licensing/sessions" states="T" class="wide"></licensing-apply>';
      site = await serveSite({
        '/new.html': { body: page('') },
        '/rendered.html': { body: page(rendered) },
        '/': folder,
      });
      browser = await chromium.launch({ executablePath: programPath('chromium'), args: chromiumArguments });
    });
    after(async () => {
      await browser.close();
      site.close();
      await rm(folder, { recursive: true });
    });

    async function open(path = '/new.html'): Promise<{ page: Page; user: Licensing; problems: string[] }> {
      const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
      const problems: string[] = [];
      page.on('pageerror', ({ message }) => problems.push(message));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !message.text().includes('Lit is in dev mode'))
          problems.push(message.text());
      });
      const user = await licensing(page);
      await page.goto(site.origin + path);
      await page.waitForFunction(() => window.seen);
      return { page, user, problems };
    }

    it('the component calls the callback of the last rendering, once', async () => {
      const { page, user } = await open();
      await page.evaluate(() => {
        window.render(1);
      });
      await page.waitForFunction(() => window.seen?.states === 'TX');
      assert.equal(await page.evaluate(() => window.seen?.estimatedFee), 101);
      assert.equal(await page.locator('licensing-apply.wide').count(), 1);
      await user.open();
      assert.deepEqual(await page.evaluate(() => window.told), ['1 preparing', '1 connecting', '1 active']);
    });

    it('the component stays open when its parent renders again, and closes when the user closes it', async () => {
      const { page, user, problems } = await open();
      await user.open();
      await page.evaluate(() => {
        window.render(2);
      });
      await page.waitForFunction(() => window.seen?.states === 'TXX');
      await user.expectState('active');
      await user.close();
      await user.expectState('closed');
      await user.open();
      await user.expectState('active');
      assert.deepEqual(problems, []);
    });

    it('the component calls no callback after it was unmounted', async () => {
      const { page } = await open();
      await page.evaluate(() => {
        Object.assign(window, { gone: window.seen });
        window.show(false);
      });
      await page.waitForFunction(() => window.seen === null);
      const told = await page.evaluate(() => {
        (window as unknown as { gone: Element }).gone.dispatchEvent(new Event('licensing-close'));
        return window.told;
      });
      assert.deepEqual(told, []);
    });

    it('the component sets and removes the attributes that every element has', async () => {
      const { page, problems } = await open();
      const tag = page.locator('licensing-apply');
      await page.evaluate(() => {
        window.use({
          id: 'apply',
          className: 'wide',
          style: { marginTop: 4 },
          title: 'Apply',
          tabIndex: -1,
          hidden: true,
          'aria-label': 'Application',
          'aria-busy': false,
          ...{ 'data-place': 'top' },
        });
      });
      await page
        .locator('licensing-apply#apply.wide[title=Apply][data-place=top][tabindex="-1"]')
        .waitFor({ state: 'attached' });
      assert.equal(await tag.getAttribute('style'), 'margin-top: 4px;');
      assert.equal(await tag.getAttribute('aria-busy'), 'false');
      assert.equal(await tag.evaluate((element: HTMLElement) => element.hidden), true);
      await page.evaluate(() => {
        window.use({ hidden: false });
      });
      await page.locator('licensing-apply:not([class])').waitFor({ state: 'attached' });
      const left = await tag.evaluate((element) => element.getAttributeNames());
      assert.deepEqual(
        left.filter((name) => !['theme', 'style'].includes(name)),
        [],
      );
      assert.equal(await tag.evaluate((element: HTMLElement) => element.hidden), false);
      assert.deepEqual(problems, []);
    });

    it('the component resets the props that its parent no longer passes', async () => {
      const { page, user, problems } = await open();
      await page.evaluate(() => {
        window.use({
          sessionUrl: '/licensing/sessions',
          statusUrl: '/licensing/applications/app_1',
          mode: 'popup',
          fallback: 'redirect',
          preload: 'none',
          locale: 'es',
          theme: 'dark',
          states: 'TX',
          estimatedFee: 12,
        });
      });
      await page.getByText('Texas').waitFor();
      await page.getByText('12').first().waitFor();
      await page.evaluate(() => {
        window.use({ sessionUrl: '/licensing/sessions' });
      });
      await page.getByText('Texas').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Start application' }).waitFor();
      await user.open();
      await page.getByRole('dialog').waitFor();
      await page.evaluate(() => {
        window.use({});
      });
      await user.close();
      assert.deepEqual(problems, []);
    });

    it('the component of the list loads its code, sets its props and calls its callbacks and those of its cards', async () => {
      const { page, problems } = await open();
      await page.route('**/licensing/applications', (route) => route.fulfill({ json: { applications: [] } }));
      const list = page.locator('licensing-applications');
      await page.evaluate(() => {
        const props = { sessionUrl: '/licensing/sessions', className: 'wide', chooseStates: 'TX,CA', states: 'TX' };
        window.useList({ ...props, allowNew: true, stateFees: { TX: 50 } });
      });
      await list.getByRole('checkbox', { name: 'Texas $50.00' }).waitFor();
      assert.equal(await list.getAttribute('class'), 'wide');
      assert.equal(await page.evaluate(() => window.list?.state), 'empty');
      await list.getByRole('button', { name: 'Start application' }).click();
      await page.waitForFunction(() => window.told.includes('active'));
      assert.deepEqual(await page.evaluate(() => window.told), ['empty 0', 'preparing', 'connecting', 'active']);
      await page.evaluate(() => {
        window.useList({ sessionUrl: '/licensing/sessions', allowNew: false });
      });
      await list.getByRole('checkbox').first().waitFor({ state: 'detached' });
      assert.equal(await page.evaluate(() => window.list?.allowNew), false);
      assert.deepEqual(problems, []);
    });

    it('the component hydrates markup that a server rendered', async () => {
      const { user, problems } = await open('/rendered.html');
      await user.open();
      assert.deepEqual(problems, []);
    });
  });
}
