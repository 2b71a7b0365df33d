/** The browsers that the tests can drive. */
export type BrowserName = 'chromium' | 'firefox' | 'webkit';

/** What Chromium needs to run here. */
export const chromiumArguments: string[];

/** The browsers to test in: those that BROWSERS names, or all three. @throws Error when it names another. */
export function wantedBrowsers(): BrowserName[];

/** The path of a browser, or undefined when there is none. @throws Error when its variable names something that cannot run. */
export function find(name: BrowserName): string | undefined;

/** The path of a browser; with `install`, a missing one is fetched where that is possible. @throws Error that says how else. */
export function ensure(name: BrowserName, options?: { install?: boolean }): string;
