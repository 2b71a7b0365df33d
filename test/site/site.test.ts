import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { pagePaths } from '../../scripts/docs/pages.js';
import { serveSite, type StaticSite } from '../package/static-site.js';
import { launchChromium } from '../support/chromium.js';
import { installPackages } from '../tools/install.js';
import { queries, readResults, search } from './search.js';

const folder = fileURLToPath(new URL('../../site', import.meta.url));
const dist = join(folder, 'dist');
const searchKey = 'button[data-open-modal]';
const looks = { light: 1280, dark: 1280, narrow: 360 };

describe('the site of the documentation', () => {
  let site: StaticSite;
  let browser: Browser;
  before(async () => {
    installPackages(folder);
    await promisify(execFile)('npm', ['run', 'build'], { cwd: folder });
    site = await serveSite({ '/': dist });
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    site.close();
  });

  it('every page of the documentation is on the site', () => {
    const missing = pagePaths()
      .filter((path) => path.startsWith('docs/') && path !== 'docs/index.md')
      .filter((path) => !existsSync(join(dist, path.slice('docs'.length, -'.md'.length), 'index.html')));
    assert.deepEqual(missing, []);
  });

  it('every link, picture and script of the site leads to a file and an anchor that exist', () => {
    const pages = globSync('**/*.html', { cwd: dist });
    const broken = pages.flatMap((page) =>
      targetsOf(textOf(page))
        .filter((target) => !leadsSomewhere(page, target))
        .map((target) => `${page}: ${target}`),
    );
    assert.ok(pages.length > 50);
    assert.deepEqual(broken, []);
  });

  it('the search finds the page that explains a term', async () => {
    const page = await browser.newPage({ baseURL: site.origin });
    await page.goto('/');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('BRIDGE_RETENTION_DAYS');
    await page.getByRole('dialog').getByRole('link', { name: 'Retention', exact: true }).first().click();
    await page.waitForURL('**/bridge/retention/**');
    await page.close();
  });

  it('the search finds the answers to what developers and operators ask', async (t) => {
    const page = await browser.newPage({ baseURL: site.origin });
    await page.goto('/');
    await page.getByRole('button', { name: 'Search' }).click();
    const missed: string[] = [];
    for (const [query, answer, rank = readResults] of queries) {
      const found = (await search(page, query)).slice(0, readResults);
      const place = found.indexOf(answer) + 1;
      const line = `${query.padEnd(28)}${place === 0 ? '-' : place}  ${found.join(' ')}`;
      t.diagnostic(line);
      if (place === 0 || place > rank) missed.push(`${line}, instead of ${answer}`);
    }
    assert.deepEqual(missed, []);
    await page.close();
  });

  for (const [look, width] of Object.entries(looks)) {
    it(`pages draw diagrams, satisfy axe, fit their window and use no other site: ${look}`, async () => {
      const colorScheme = look === 'dark' ? 'dark' : 'light';
      const options = { baseURL: site.origin, colorScheme, viewport: { width, height: 800 } } as const;
      const page = await (await browser.newContext(options)).newPage();
      const others: string[] = [];
      const problems: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(site.origin)) others.push(request.url());
      });
      page.on('pageerror', ({ message }) => void problems.push(message));
      for (const path of ['/', '/getting-started/', '/concepts/', '/bridge/configure/', '/element/reference/']) {
        await page.goto(path);
        const diagrams = page.locator('pre.diagram');
        for (const diagram of await diagrams.all()) await diagram.locator('svg').waitFor();
        if (path === '/concepts/') assert.equal(await diagrams.count(), 3);
        const widest = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(widest <= width, `${path} is ${widest} pixels wide.`);
        const { violations } = await createAxe(page).analyze();
        problems.push(...violations.map(({ id, nodes }) => `${path}: ${id} ${nodes[0]?.html ?? ''}`));
      }
      assert.deepEqual({ others, problems }, { others: [], problems: [] });
      await page.context().close();
    });
  }
});

/** Checks the rules of WCAG. The shortcut on the theme's search button is not part of its name. */
function createAxe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).exclude(searchKey);
}

function textOf(page: string): string {
  return readFileSync(join(dist, page), 'utf8');
}

/** The targets of links, pictures and scripts that are not on other sites. */
function targetsOf(html: string): string[] {
  return [...html.matchAll(/<[a-z][^>]*\s(?:href|src)="([^"]*)"/g)]
    .map(([, target = '']) => target.replaceAll('&amp;', '&').replaceAll('&#x26;', '&'))
    .filter((target) => !/^(?:[a-z]+:|\/\/)/.test(target));
}

function leadsSomewhere(page: string, target: string): boolean {
  const { pathname, hash } = new URL(target, `http://site/${page}`);
  const path = decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname).slice(1);
  if (!existsSync(join(dist, path)) || !statSync(join(dist, path)).isFile()) return false;
  return hash === '' || textOf(path).includes(` id="${decodeURIComponent(hash.slice(1))}"`);
}
