import { chromium, type Browser } from 'playwright-core';
import { ensure } from '../support/browsers.mjs';

/** The browser of these tests: a real Chromium in which other sites get processes of their own, as users have it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: ensure('chromium'),
    // Chromium's own sandbox does not start as root.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--site-per-process'],
  });
}
