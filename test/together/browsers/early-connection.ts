import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { BrowserName } from '../../support/browsers.mjs';
import { serveSite, type StaticSite } from '../../package/static-site.js';
import { startDriver, type Driver } from './driver.js';

/** What `test/package/early-connection.test.ts` sees in Chromium, in a browser that keeps its connections apart by other rules. */
export function describeEarlyConnection(browserName: BrowserName): void {
  describe(`an application whose address is known, in ${browserName}`, () => {
    let driver: Driver;
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
        '/cdn/': fileURLToPath(new URL('../../../dist/cdn/', import.meta.url)),
        '/': {
          body: `<!doctype html><script type="module" src="/cdn/licensing-apply.js"></script><licensing-apply application-url="${address}"></licensing-apply>`,
          headers: {
            'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src ${new URL(address).origin}; require-trusted-types-for 'script'; trusted-types lit-html`,
          },
        },
      });
      driver = await startDriver(browserName);
    });
    after(async () => {
      await (driver as Driver | undefined)?.close();
      site.close();
      host.closeAllConnections();
      host.close();
    });

    it('comes over the connection that was made for it, and nothing was asked for before the click', async () => {
      const visitor = await driver.visit();
      await visitor.goTo(site.origin);
      const connected = once(host, 'connection', { signal: AbortSignal.timeout(10_000) });
      await visitor.evaluate(() => {
        document.querySelector('licensing-apply')?.shadowRoot?.querySelector('button')?.focus();
      });
      await connected;
      assert.deepEqual(asked, []);
      const loaded = once(host, 'request', { signal: AbortSignal.timeout(10_000) });
      await visitor.evaluate(() => {
        document.querySelector('licensing-apply')?.shadowRoot?.querySelector('button')?.click();
      });
      await loaded;
      assert.deepEqual(asked, [['/apply', 1]]);
      await visitor.leave();
    });
  });
}
