import { setTimeout as pause } from 'node:timers/promises';
import { startWebKit } from './webdriver.mjs';
import { createWebKitPage } from './webkit-page.mjs';

/**
 * Runs the browser tests in WebKitGTK. It says of itself that it is Playwright's, because then the
 * commands (`sendKeys`, `sendMouse`, `setViewport`) ask it for a page, and a page is easily made.
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
      // As the drivers of the other two do: most tests open windows without a click.
      words: ['--javascript-can-open-windows-automatically=true'],
      // A page that waits for its tests never ends to load.
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
      // Nothing can be asked of a page that is about to go.
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
