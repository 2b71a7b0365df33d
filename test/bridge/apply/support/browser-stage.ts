import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../../support/chromium.js';
import { startApplyService, type ApplyService } from './service.js';

/** The hosted application with its scripts, and a browser to look at it. */
export interface Shown {
  service: ApplyService;
  browser: Browser;
}

/**
 * Starts both before the tests of the calling suite, and stops them afterwards. The returned object
 * is filled when the tests start.
 */
export function showApplication(options: Parameters<typeof startApplyService>[0] = {}): Shown {
  const shown = {} as Shown;
  before(async () => {
    [shown.service, shown.browser] = await Promise.all([
      startApplyService({ ...options, built: true }),
      launchChromium(),
    ]);
  });
  after(async () => {
    await shown.browser.close();
    await shown.service.stop();
  });
  return shown;
}
