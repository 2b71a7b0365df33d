import { chromeLauncher } from '@web/test-runner-chrome';
import * as puppeteer from 'puppeteer-core';
import { programPath } from './test/support/programs.ts';
import base from './web-test-runner.config.mjs';

/** The same tests in Firefox, over WebDriver BiDi: Chromium's launcher with another driver. */
export default {
  ...base,
  browsers: [
    chromeLauncher({
      concurrency: 1,
      puppeteer,
      launchOptions: { browser: 'firefox', executablePath: programPath('firefox') },
    }),
  ],
};
