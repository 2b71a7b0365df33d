import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { createOpenApiDocument } from '../../../src/bridge/http/openapi/document.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { launchChromium } from '../../support/chromium.js';

let bridge: TestBridge;
let browser: Browser;
before(async () => {
  bridge = await startBridge();
  browser = await launchChromium();
});
after(async () => {
  await browser.close();
  await bridge.stop();
});

test('/openapi.json is the document, with the address that it was asked at', async () => {
  const { status, headers, body } = await bridge.call('GET', '/openapi.json', { token: null });
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/json');
  assert.match(headers.get('x-request-id') ?? '', /^req_/);
  assert.deepEqual(body, createOpenApiDocument(bridge.bridgeUrl));
});

for (const path of ['/openapi.json', '/docs']) {
  test(`${path} can be kept, and is not sent again while it is the same`, async () => {
    const first = await fetch(bridge.bridgeUrl + path);
    assert.match(first.headers.get('cache-control') ?? '', /^public, max-age=\d+/);
    const etag = first.headers.get('etag') ?? '';
    const second = await fetch(bridge.bridgeUrl + path, { headers: { 'if-none-match': `"other", W/${etag}` } });
    assert.equal(second.status, 304);
    assert.equal(await second.text(), '');
    const other = await fetch(bridge.bridgeUrl + path, { headers: { 'if-none-match': '"other"' } });
    assert.equal(other.status, 200);
    await other.body?.cancel();
    await first.body?.cancel();
  });

  test(`${path} answers other methods as every route does`, async () => {
    const { status, headers } = await bridge.call('POST', path);
    assert.deepEqual([status, headers.get('allow')], [405, 'GET']);
  });
}

async function open(width: number): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(bridge.bridgeUrl)) complaints.push(request.url());
  });
  await page.goto(`${bridge.bridgeUrl}/docs`);
  return { page, complaints };
}

describe('/docs', () => {
  it('allows no script, nothing inline and nothing from elsewhere', async () => {
    const answer = await fetch(`${bridge.bridgeUrl}/docs`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; style-src 'self'/);
    assert.doesNotMatch(policy, /unsafe|script-src|https?:/);
    const text = await answer.text();
    assert.doesNotMatch(text, /<script|<style| style=/);
  });

  it('is accessible in light and in dark', async () => {
    const { page, complaints } = await open(1440);
    const found = [await new AxeBuilder({ page }).disableRules(['color-contrast']).analyze()];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // One of each kind: all others have the same colours, and looking at three thousand takes half a minute.
      const parts = new AxeBuilder({ page }).withRules(['color-contrast']);
      for (const part of ['.masthead', '.contents', '#createSession', '#status-400', '#schema-Session'])
        parts.include(part);
      found.push(await parts.analyze());
    }
    assert.deepEqual(
      found.flatMap(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${String(nodes[0]?.target)}`)),
      [],
    );
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  for (const width of [1440, 360]) {
    it(`fits and is styled at ${String(width)} px`, async () => {
      const { page, complaints } = await open(width);
      const [scrolled, visible, margin] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
        getComputedStyle(document.body).margin,
      ]);
      assert.equal(scrolled, visible);
      assert.equal(margin, '0px');
      assert.deepEqual(complaints, []);
      await page.context().close();
    });
  }

  it('has a place for each link, each operation, event, failure and schema once', async () => {
    const { page } = await open(1440);
    const [ids, targets] = await page.evaluate(() => [
      [...document.querySelectorAll('[id]')].map(({ id }) => id),
      [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href')?.slice(1) ?? ''),
    ]);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(
      targets.filter((target) => !ids.includes(target)),
      [],
    );
    const { components } = createOpenApiDocument(bridge.bridgeUrl);
    const names = Object.keys(components?.schemas ?? {}).map((name) => `schema-${name}`);
    for (const id of ['login', 'getApplication', 'decideState', 'application.submitted', 'status-429', ...names]) {
      assert.ok(ids.includes(id), id);
    }
    await page.getByRole('link', { name: 'createSession', exact: false }).first().click();
    await page.getByRole('heading', { name: /Creates an application/ }).waitFor();
    assert.match(page.url(), /#createSession$/);
    await page.context().close();
  });
});
