import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from 'playwright-core';
import { launchPersonalChromium } from '../support/chromium.js';
import { serveSite, type StaticSite } from './static-site.js';

describe('an application whose address is known', () => {
  let context: BrowserContext;
  let site: StaticSite;
  let host: Server;
  /** What the host was asked for, with the connection that it came by: the first is 1. */
  const asked: [path: string | undefined, connection: number][] = [];
  let connections = 0;

  before(async () => {
    const numbers = new WeakMap<object, number>();
    host = createServer(({ url, socket }, response) => {
      asked.push([url, numbers.get(socket) ?? 0]);
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Application</title>');
    });
    host.on('connection', (socket) => numbers.set(socket, (connections += 1)));
    host.listen(0, '127.0.0.1');
    await once(host, 'listening');
    const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/apply`;
    site = await serveSite({
      '/cdn/': fileURLToPath(new URL('../../dist/cdn/', import.meta.url)),
      '/': {
        body: `<!doctype html><script type="module" src="/cdn/licensing-apply.js"></script><licensing-apply application-url="${address}"></licensing-apply>`,
        headers: {
          'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src ${new URL(address).origin}; require-trusted-types-for 'script'; trusted-types lit-html`,
        },
      },
    });
    context = await launchPersonalChromium();
  });
  after(async () => {
    await context.close();
    site.close();
    host.close();
  });

  it('comes over a connection that was made when the user pointed at the card, and nothing was asked for before the click', async () => {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    await page.goto(site.origin);
    const connected = once(host, 'connection', { signal: AbortSignal.timeout(10_000) });
    await page.locator('licensing-apply').getByRole('heading').hover();
    await connected;
    assert.deepEqual(asked, []);
    await page.locator('licensing-apply').getByRole('button').click();
    await page.locator('licensing-apply').frameLocator('.stage iframe').locator('html').waitFor({ state: 'attached' });
    assert.deepEqual(asked, [['/apply', 1]]);
    assert.deepEqual(problems, []);
  });
});
