/*
 * The part of Playwright that the fixture uses, by shape alone: no dependency on it, and any version that has these will do.
 */

/** A request that was caught. */
export interface PlaywrightRequest {
  /** Throws for the first page of a window that is just being opened. */
  frame(): PlaywrightFrame;
  headers(): Record<string, string>;
  method(): string;
  url(): string;
  postData(): string | null;
}

/** A caught request that can be answered. */
export interface PlaywrightRoute {
  fallback(): Promise<void>;
  request(): PlaywrightRequest;
  fulfill(response: { status: number; headers: Record<string, string>; body: string }): Promise<void>;
}

/** What is to be caught, as Playwright's `route` takes it. */
export type UrlPattern = string | RegExp | ((url: URL) => boolean);

/** Something in a page. */
export interface PlaywrightLocator {
  click(options: { timeout: number }): Promise<void>;
  first(): PlaywrightLocator;
  isVisible(): Promise<boolean>;
  locator(selector: string): PlaywrightLocator;
}

/** A document, framed or not. */
export interface PlaywrightFrame {
  evaluate(script: string): Promise<unknown>;
  page(): PlaywrightPage;
  url(): string;
  getByRole(role: 'button' | 'link' | 'status', options: { name: string; exact?: boolean }): PlaywrightLocator;
}

/** A browser context. */
export interface PlaywrightContext {
  on(event: 'close', listener: () => unknown): unknown;
  pages(): PlaywrightPage[];
  route(pattern: UrlPattern, handler: (route: PlaywrightRoute) => unknown): Promise<unknown>;
}

/** A page. */
export interface PlaywrightPage {
  addInitScript(script: { content: string }): Promise<unknown>;
  bringToFront(): Promise<void>;
  context(): PlaywrightContext;
  evaluate(script: string): Promise<unknown>;
  exposeBinding(name: string, callback: (source: unknown, told: unknown) => void): Promise<unknown>;
  frames(): PlaywrightFrame[];
  locator(selector: string): PlaywrightLocator;
  opener(): Promise<PlaywrightPage | null>;
  url(): string;
}

/** A function of ours as the text of a script that calls it. What it needs of this side comes as its argument. */
export function scriptOf<Argument>(run: (argument: Argument) => unknown, argument: Argument): string {
  return `(${run.toString()})(${JSON.stringify(argument)})`;
}
