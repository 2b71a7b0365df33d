import type { BrowserName } from '../../support/programs.js';
import type { View } from '../view.js';

/** A browser with its popup blocker on, as for users. */
export interface Driver {
  /** The name and version. */
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
  /** Runs an action and resolves with the window that it opened. */
  windowOpenedBy(act: () => Promise<void>): Promise<OpenedWindow>;
  /** Runs a function in the page, without variables of the test. */
  evaluate<Result>(read: () => Result): Promise<Result>;
  leave(): Promise<void>;
}

/** The hosted application in a new window. */
export interface OpenedWindow {
  view: View;
  /** Runs an action and resolves when it has closed the window. */
  closedBy(act: () => Promise<void>): Promise<void>;
}

/** Starts one of the three browsers. */
export async function startDriver(name: BrowserName): Promise<Driver> {
  if (name === 'webkit') return (await import('./webkit-driver.js')).startWebKitDriver();
  return (await import('./playwright-driver.js')).startPlaywrightDriver(name);
}
