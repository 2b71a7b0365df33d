/** A running WebKit. */
export interface WebKit {
  version: string;
  /** One command of the session. Rejects with WebDriver's own `code`, such as `no such window`. */
  command<Result = void>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Result>;
  /** Runs a function's body in the page. */
  execute<Result = unknown>(script: string, ...args: unknown[]): Promise<Result>;
  /** Ends it with all its windows. */
  close(): Promise<void>;
}

/** Starts WebKit with an empty profile on a separate screen. `words`: arguments of the browser. */
export function startWebKit(options: {
  binary: string;
  words?: string[];
  pageLoadStrategy?: 'normal' | 'none';
}): Promise<WebKit>;
