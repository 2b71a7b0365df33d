import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { startSite, type Site } from './site.js';

/** The fixture of a test file: created before its first test, closed after its last. */
export interface Stage {
  site: Site;
  browser: Browser;
}

/**
 * The demo in its real processes and a real Chromium, for all tests of a file. Simulated departments
 * decide for all states: the tests of the demo have its operator. `environment` adds to the demo's
 * variables.
 */
export function useStage(environment: Record<string, string> = {}): Stage {
  const stage = {} as Stage;
  before(async () => {
    stage.site = await startSite({ BRIDGE_TEST_FILING: 'simulated', ...environment });
    stage.browser = await launchChromium({ isolatesSites: true });
  });
  after(async () => {
    await (stage.browser as Browser | undefined)?.close();
    const exitCode = await (stage.site as Site | undefined)?.stop();
    assert.equal(exitCode, 0, 'Ctrl-C ends the demo cleanly');
  });
  return stage;
}
