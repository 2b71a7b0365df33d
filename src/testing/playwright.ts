/*
 * The part of Playwright's API that the fixture uses, as separate interfaces. So this package does
 * not depend on Playwright, and works with every version that has these methods.
 */

/** An intercepted request. */
export interface PlaywrightRequest {
  /** Throws for the first request of a popup that is being opened. */
  frame(): PlaywrightFrame;
  headers(): Record<string, string>;
  method(): string;
  url(): string;
  postData(): string | null;
}

/** An intercepted request that can be answered. */
export interface PlaywrightRoute {
  fallback(): Promise<void>;
  request(): PlaywrightRequest;
  fulfill(response: { status: number; headers: Record<string, string>; body: string }): Promise<void>;
}

/** The URLs to intercept, as `page.route()` accepts them. */
export type UrlPattern = string | RegExp | ((url: URL) => boolean);

/** An element of a page. */
export interface PlaywrightLocator {
  click(options: { timeout: number }): Promise<void>;
  first(): PlaywrightLocator;
  isVisible(): Promise<boolean>;
  locator(selector: string): PlaywrightLocator;
}

/** A frame, or the main frame of a page. */
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
  exposeBinding(name: string, callback: (source: unknown, argument: unknown) => void): Promise<unknown>;
  frames(): PlaywrightFrame[];
  locator(selector: string): PlaywrightLocator;
  opener(): Promise<PlaywrightPage | null>;
  url(): string;
}

/**
 * Returns a script that calls a function with an argument. The function must use nothing else of
 * its file.
 */
export function scriptOf<Argument>(run: (argument: Argument) => unknown, argument: Argument): string {
  return `(${run.toString()})(${JSON.stringify(argument)})`;
}
