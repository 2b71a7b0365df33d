import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type LaunchOptions } from 'playwright-core';
import { chromiumArguments, programPath } from './programs.js';

/** The options of Chromium. */
export interface ChromiumOptions extends Pick<
  LaunchOptions,
  'args' | 'env' | 'headless' | 'ignoreDefaultArgs' | 'slowMo'
> {
  /** Whether other sites have separate processes, as for users. Default: false, which is faster. */
  isolatesSites?: boolean;
}

/** The argument with which the driver turns off the back/forward cache. For `ignoreDefaultArgs`. */
export const withoutBackForwardCache = '--disable-back-forward-cache';

/** Starts Chromium with an empty profile. */
export function launchChromium({
  isolatesSites = false,
  args = [],
  ...options
}: ChromiumOptions = {}): Promise<Browser> {
  return chromium.launch({
    ...options,
    executablePath: programPath('chromium'),
    args: [...chromiumArguments, ...(isolatesSites ? ['--site-per-process'] : []), ...args],
  });
}

/**
 * Enables what Debian's package of Chromium turns off: connections that a page opens in advance,
 * and cookies for frames of other sites, without which such a connection would not be used.
 */
const preferences = { net: { network_prediction_options: 0 }, profile: { cookie_controls_mode: 0 } };

/** A user's profile in a separate folder. */
async function createProfile(): Promise<{ folder: string; forget(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'licensing-apply-profile-'));
  await mkdir(join(folder, 'Default'));
  await writeFile(join(folder, 'Default/Preferences'), JSON.stringify(preferences));
  return { folder, forget: () => rm(folder, { recursive: true, force: true, maxRetries: 20 }) };
}

/** Other sites have separate processes, as for users. */
const personalArguments = [...chromiumArguments, '--site-per-process'];

/**
 * Starts Chromium with a user's profile, because without one it does not preconnect. `close` ends
 * it and deletes the profile.
 */
export async function launchPersonalChromium(): Promise<BrowserContext> {
  const { folder, forget } = await createProfile();
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: programPath('chromium'),
    args: personalArguments,
  });
  context.on('close', () => void forget());
  return context;
}

/** A Chromium without a driver that shows one page. */
export interface UndrivenChromium {
  /** Resolves when it has ended and its profile is deleted. */
  close(): Promise<void>;
}

/**
 * Starts the same Chromium without a driver, at a URL whose page may open windows. A driver delays
 * each new frame and intercepts each request, which would distort measurements in milliseconds.
 */
export async function openUndrivenChromium(url: string): Promise<UndrivenChromium> {
  const { folder, forget } = await createProfile();
  const own = ['--headless', '--no-first-run', '--disable-popup-blocking', `--user-data-dir=${folder}`];
  // The page that opens the windows continues in the background.
  const awake = ['--disable-renderer-backgrounding', '--disable-backgrounding-occluded-windows'];
  const browser = spawn(programPath('chromium'), [...personalArguments, ...own, ...awake, url], { stdio: 'ignore' });
  const ended = once(browser, 'exit');
  return {
    async close() {
      browser.kill();
      await ended;
      await forget();
    },
  };
}
