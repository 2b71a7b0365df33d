import assert from 'node:assert/strict';
import { after, before, it, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createOpenApiDocument } from '../../../../src/bridge/http/openapi/document.js';
import { startBridge, type TestBridge } from '../../../support/bridge.js';
import { launchChromium } from '../../../support/chromium.js';

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

test('/openapi.json is the document, with the origin of the request.', async () => {
  const { status, headers, body } = await bridge.call('GET', '/openapi.json', { token: null });
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/json');
  assert.match(headers.get('x-request-id') ?? '', /^req_/);
  assert.deepEqual(body, createOpenApiDocument(bridge.bridgeUrl));
});

for (const path of ['/openapi.json', '/docs']) {
  test(`${path} can be cached, and is not sent again while it is unchanged.`, async () => {
    const first = await fetch(bridge.bridgeUrl + path);
    assert.match(first.headers.get('cache-control') ?? '', /^public, max-age=\d+/);
    const etag = first.headers.get('etag') ?? '';
    const second = await fetch(bridge.bridgeUrl + path, { headers: { 'if-none-match': `"other", W/${etag}` } });
    assert.equal(second.status, 304);
    assert.equal(await second.text(), '');
    // A browser shows the stored page with these.
    for (const name of ['etag', 'cache-control', 'content-security-policy'])
      assert.equal(second.headers.get(name), first.headers.get(name), name);
    const other = await fetch(bridge.bridgeUrl + path, { headers: { 'if-none-match': '"other"' } });
    assert.equal(other.status, 200);
    await other.body?.cancel();
    await first.body?.cancel();
  });
}

/** Opens the page. CSP violations and requests to other origins fail the test. */
async function open(): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('request', (request) => {
    if (!request.url().startsWith(bridge.bridgeUrl) && !request.url().startsWith('data:'))
      complaints.push(request.url());
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text());
  });
  await page.goto(`${bridge.bridgeUrl}/docs`);
  return { page, complaints };
}

it('/docs allows nothing inline and nothing from other origins.', async () => {
  const answer = await fetch(`${bridge.bridgeUrl}/docs`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
  assert.doesNotMatch(policy, /unsafe|nonce|https?:/);
  assert.doesNotMatch(await answer.text(), /<script>|<style| style=|https?:/);
});

it('/docs shows an operation with its request and response, within its policy and from one origin.', async () => {
  const { page, complaints } = await open();
  await page
    .getByRole('button', { name: /createSession|applications\/sessions/ })
    .first()
    .click();
  const operation = page.locator('#operations-Sessions-createSession');
  await operation.getByText('Send the user to the returned').waitFor();
  const text = await operation.innerText();
  for (const part of ['Idempotency-Key', 'returnUrl', 'usr_abc123', '401', '429']) assert.ok(text.includes(part), part);
  await page.getByText('application.requires_action', { exact: true }).first().waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});

it('/docs serves its assets with long caching, and nothing under other names.', async () => {
  const text = await (await fetch(`${bridge.bridgeUrl}/docs`)).text();
  const paths = [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path = '']) => path);
  assert.equal(paths.length, 5);
  for (const path of paths) {
    const answer = await fetch(bridge.bridgeUrl + path);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/(javascript|css); charset=utf-8$/);
    await answer.body?.cancel();
  }
  const { status } = await bridge.call('GET', '/docs/package.json', { token: null });
  assert.equal(status, 404);
});
