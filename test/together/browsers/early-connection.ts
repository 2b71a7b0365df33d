import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BrowserName } from '../../support/browsers.mjs';
import { type ConnectionSite, startConnectionSite } from '../../package/connection-site.js';
import { startDriver, type Driver } from './driver.js';

/** What `test/package/early-connection.test.ts` sees in Chromium, in a browser that keeps its connections apart by other rules. */
export function describeEarlyConnection(browserName: BrowserName): void {
  describe(`an application whose address is known, in ${browserName}`, () => {
    let driver: Driver;
    let site: ConnectionSite;

    before(async () => {
      site = await startConnectionSite('modal');
      driver = await startDriver(browserName);
    });
    after(async () => {
      await (driver as Driver | undefined)?.close();
      site.close();
    });

    it('comes over the connection that was made for it, and nothing was asked for before the click', async () => {
      const visitor = await driver.visit();
      await visitor.goTo(site.origin);
      const connected = site.next('connection');
      await visitor.evaluate(() => {
        document.querySelector('licensing-apply')?.shadowRoot?.querySelector('button')?.focus();
      });
      await connected;
      assert.deepEqual(site.asked, []);
      const loaded = site.next('request');
      await visitor.evaluate(() => {
        document.querySelector('licensing-apply')?.shadowRoot?.querySelector('button')?.click();
      });
      await loaded;
      assert.deepEqual(site.asked, [['/apply', 1]]);
      await visitor.leave();
    });
  });
}
