import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { chromiumArguments, ensure } from './browsers.mjs';

/** What a test wants of Chromium. */
export interface ChromiumOptions extends Pick<LaunchOptions, 'args' | 'ignoreDefaultArgs'> {
  /** Whether other sites get processes of their own, as users have it. Default: false, which is faster. */
  isolatesSites?: boolean;
}

/** What the driver turns off and users have: a page that was left comes back as it was. For `ignoreDefaultArgs`. */
export const withoutBackForwardCache = '--disable-back-forward-cache';

/** Starts Chromium with an empty profile. */
export function launchChromium({
  isolatesSites = false,
  args = [],
  ...options
}: ChromiumOptions = {}): Promise<Browser> {
  return chromium.launch({
    ...options,
    executablePath: ensure('chromium'),
    args: [...chromiumArguments, ...(isolatesSites ? ['--site-per-process'] : []), ...args],
  });
}
