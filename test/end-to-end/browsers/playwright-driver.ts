import { firefox, type Browser } from 'playwright-core';
import { programPath } from '../../support/programs.js';
import { launchChromium } from '../../support/chromium.js';
import type { Driver, Visitor } from './driver.js';

/** Starts Chromium or the distribution's Firefox, over WebDriver BiDi. */
export async function startPlaywrightDriver(name: 'chromium' | 'firefox'): Promise<Driver> {
  const browser = await launch[name]();
  return {
    name: `${name} ${browser.version()}`,
    visit: () => visit(browser),
    close: () => browser.close(),
  };
}

const launch = {
  chromium: () => launchChromium({ isolatesSites: true, ignoreDefaultArgs: ['--disable-popup-blocking'] }),
  firefox: () =>
    firefox.launch({
      channel: 'moz-firefox',
      executablePath: programPath('firefox'),
      firefoxUserPrefs: {
        'dom.disable_open_during_load': true,
        // The users' default, because the driver disables connections in advance.
        'network.http.speculative-parallel-limit': 20,
        // One process for all sites, because the driver's mouse sends its events to the page's
        // process (bugzil.la/1922077), and a frame of another site in another process does not
        // receive them.
        'fission.webContentIsolationStrategy': 0,
      },
    }),
};

async function visit(browser: Browser): Promise<Visitor> {
  const context = await browser.newContext();
  const page = await context.newPage();
  return {
    page,
    hosted: page.locator('licensing-apply').frameLocator('iframe'),
    async goTo(url) {
      await page.goto(url);
    },
    async windowOpenedBy(act) {
      const opening = context.waitForEvent('page');
      await act();
      const opened = await opening;
      return {
        view: opened,
        async closedBy(actLast) {
          const closed = opened.waitForEvent('close');
          await actLast().catch((error: unknown) => {
            // The window may be closed before the driver receives the result of the click.
            if (!opened.isClosed()) throw error;
          });
          await closed;
        },
      };
    },
    evaluate: (read) => page.evaluate(read),
    leave: () => context.close(),
  };
}
