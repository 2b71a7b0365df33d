import { chromeLauncher } from '@web/test-runner-chrome';
import * as puppeteer from 'puppeteer-core';
import { ensure, wantedBrowsers } from '../support/browsers.mjs';
import { webkitLauncher } from '../support/webkit-launcher.mjs';
import chromium from './wtr.config.mjs';

const launchers = {
  chromium: () => chromium.browsers[0],
  // Firefox as it is, over WebDriver BiDi: the same launcher, with another driver below it.
  firefox: () =>
    chromeLauncher({
      concurrency: 1,
      puppeteer,
      launchOptions: { browser: 'firefox', executablePath: ensure('firefox') },
    }),
  webkit: () => webkitLauncher({ binary: ensure('webkit') }),
};

/** The same tests in the three engines that users have. What they cover is measured in Chromium, by `npm test`. */
export default {
  ...chromium,
  browsers: wantedBrowsers().map((name) => launchers[name]()),
  // One after another: on two cores, the deadlines of three at once would be those of a slower machine.
  concurrentBrowsers: 1,
  coverage: false,
};
