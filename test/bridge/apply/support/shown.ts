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
 * Starts both for the tests of the suite that calls this, and stops them after. What it returns is
 * filled when they begin.
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
