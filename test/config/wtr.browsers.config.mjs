import { chromeLauncher } from '@web/test-runner-chrome';
import * as puppeteer from 'puppeteer-core';
import { ensure, wantedBrowsers } from '../support/browsers.mjs';
import { webkitLauncher } from '../support/webkit-launcher.mjs';
import { leanLit } from './lean-lit.ts';
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

/** Serves Lit as the CDN build has it, so that what is cut out of it is missed here. `npm test` serves it whole, as the doors do. */
const leanLitPlugin = {
  name: 'lean-lit',
  transform({ path, body }) {
    return leanLit.transform(body, path) ?? undefined;
  },
};

/** The same tests in the three engines that users have. What they cover is measured in Chromium, by `npm test`. */
export default {
  ...chromium,
  // Lit's published files, not those for development: they are what is cut.
  nodeResolve: { exportConditions: ['browser'] },
  // Before the others: the texts that are cut are those of the files.
  plugins: [leanLitPlugin, ...chromium.plugins],
  browsers: wantedBrowsers().map((name) => launchers[name]()),
  // One after another: on two cores, the deadlines of three at once would be those of a slower machine.
  concurrentBrowsers: 1,
  coverage: false,
};
