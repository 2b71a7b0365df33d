import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type LaunchOptions } from 'playwright-core';
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

/**
 * What Chromium brings and Debian's package of it turns off: connections that a page asks for in advance, and cookies for frames of
 * other sites, without which such a connection would not be used.
 */
const preferences = { net: { network_prediction_options: 0 }, profile: { cookie_controls_mode: 0 } };

/**
 * Starts Chromium as a person has it, with a profile of its own: only there it connects in advance. Ends, and is forgotten, with
 * `close`.
 */
export async function launchPersonalChromium(): Promise<BrowserContext> {
  const folder = await mkdtemp(join(tmpdir(), 'licensing-apply-profile-'));
  await mkdir(join(folder, 'Default'));
  await writeFile(join(folder, 'Default/Preferences'), JSON.stringify(preferences));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: ensure('chromium'),
    // Another site gets a process of its own, as users have it.
    args: [...chromiumArguments, '--site-per-process'],
  });
  context.on('close', () => void rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  return context;
}
