import type { BrowserName } from '../../support/programs.js';
import type { View } from '../view.js';

/** A browser as its users have it: with its popup blocker on. */
export interface Driver {
  /** With its version. */
  name: string;
  /** A visitor without cookies and storage. */
  visit(): Promise<Visitor>;
  close(): Promise<void>;
}

/** A user on the partner's page. */
export interface Visitor {
  /** The page, with the element's shadow tree. */
  page: View;
  /** The hosted application in the element's frame. */
  hosted: View;
  goTo(url: string): Promise<void>;
  /** Does something and resolves with the window that opened by it. */
  windowOpenedBy(act: () => Promise<void>): Promise<OpenedWindow>;
  /** Runs in the page. The function sees nothing of the test. */
  evaluate<Result>(read: () => Result): Promise<Result>;
  leave(): Promise<void>;
}

/** The hosted application in a new window. */
export interface OpenedWindow {
  view: View;
  /** Does something and resolves when the window is gone by it. */
  closedBy(act: () => Promise<void>): Promise<void>;
}

/** Starts a browser of the three. */
export async function startDriver(name: BrowserName): Promise<Driver> {
  if (name === 'webkit') return (await import('./webkit-driver.js')).startWebKitDriver();
  return (await import('./playwright-driver.js')).startPlaywrightDriver(name);
}
