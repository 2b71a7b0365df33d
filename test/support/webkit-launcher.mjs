import { setTimeout as pause } from 'node:timers/promises';
import { startWebKit } from './webdriver.mjs';
import { createWebKitPage } from './webkit-page.mjs';

/**
 * Runs the browser tests in WebKitGTK. It identifies itself as Playwright's launcher, because then
 * the commands (`sendKeys`, `sendMouse`, `setViewport`) use its page, which is simple to provide.
 * @param {{binary: string}} options
 */
export function webkitLauncher({ binary }) {
  const addresses = new Map();
  let starting;
  let webkit;
  let page;

  async function startOnce() {
    webkit = await startWebKit({
      binary,
      // Like the drivers of the other two, because most tests open windows without a click.
      words: ['--javascript-can-open-windows-automatically=true'],
      // A page that waits for its tests never finishes loading.
      pageLoadStrategy: 'none',
    });
    page = createWebKitPage(webkit);
  }

  return {
    name: 'WebKit',
    type: 'playwright',
    // One window is one page at a time.
    concurrency: 1,
    async initialize() {},
    async startSession(id, url) {
      await (starting ??= startOnce());
      addresses.set(id, url);
      await webkit.command('POST', '/url', { url });
    },
    async stopSession(id) {
      addresses.delete(id);
      await page.closeOthers();
      await webkit.command('POST', '/url', { url: 'about:blank' });
      // A page that is being closed accepts no command.
      const place = () => webkit.execute('return location.href').catch(() => '');
      for (let attempts = 0; (await place()) !== 'about:blank'; attempts++) {
        if (attempts > 500) throw new Error('WebKit does not leave the page of the tests.');
        await pause(10);
      }
      return {};
    },
    isActive: (id) => addresses.has(id),
    getBrowserUrl: (id) => addresses.get(id),
    getPage: () => page,
    async startDebugSession() {
      throw new Error('WebKit cannot be debugged from here.');
    },
    async stop() {
      await webkit?.close();
    },
  };
}
