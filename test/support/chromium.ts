import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type LaunchOptions } from 'playwright-core';
import { chromiumArguments, programPath } from './programs.js';

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
    executablePath: programPath('chromium'),
    args: [...chromiumArguments, ...(isolatesSites ? ['--site-per-process'] : []), ...args],
  });
}

/**
 * What Chromium brings and Debian's package of it turns off: connections that a page asks for in advance, and cookies for frames of
 * other sites, without which such a connection would not be used.
 */
const preferences = { net: { network_prediction_options: 0 }, profile: { cookie_controls_mode: 0 } };

/** A profile as a person has it, in a folder of its own. */
async function createProfile(): Promise<{ folder: string; forget(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'licensing-apply-profile-'));
  await mkdir(join(folder, 'Default'));
  await writeFile(join(folder, 'Default/Preferences'), JSON.stringify(preferences));
  return { folder, forget: () => rm(folder, { recursive: true, force: true, maxRetries: 20 }) };
}

/** Another site gets a process of its own, as users have it. */
const personalArguments = [...chromiumArguments, '--site-per-process'];

/**
 * Starts Chromium as a person has it, with a profile of its own: only there it connects in advance. Ends, and is forgotten, with
 * `close`.
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

/** A Chromium that shows one page and is not driven. */
export interface UndrivenChromium {
  /** Resolves once it has ended and is forgotten. */
  close(): Promise<void>;
}

/**
 * Starts the same Chromium without a driver, at an address whose page may open windows. A driver has each new frame wait for it, and is told of
 * each request: where milliseconds count, those are measured, too.
 */
export async function openUndrivenChromium(url: string): Promise<UndrivenChromium> {
  const { folder, forget } = await createProfile();
  const own = ['--headless', '--no-first-run', '--disable-popup-blocking', `--user-data-dir=${folder}`];
  // The page that opens the windows goes on behind them.
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
