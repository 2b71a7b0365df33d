import { parseConfiguredUrl, withoutTrailingSlash } from '../addresses.js';
import { systemClock, type Clock } from '../clock.js';
import { harmless, type Log } from '../log.js';

/** Options of `createBridgeClient`. */
export interface BridgeClientOptions {
  /** The address of the bridge without `/v1`. https, or http on localhost. */
  baseUrl: string;
  /** What operation 3 issued. Absent: only `createAccountCredential` works. */
  clientId?: string;
  /** The live or the test secret; it decides which data the client sees. */
  clientSecret?: string;
  /** Default: the global one. Called with a string and an init, `redirect: "manual"`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** The deadline of a whole call, login and repetitions included, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
  /** How often a call is repeated at most, where repeating is safe. Default: 2. */
  retries?: number;
  /** Hears of logins and of every attempt: operation, status, duration. Default: nobody. */
  log?: Log;
  /** Default: the real one. */
  clock?: Clock;
  /** A number from 0 up to 1, for the jitter. Default: `Math.random`. */
  random?: () => number;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call: it rejects with the code `aborted`. */
  signal?: AbortSignal;
  /** The deadline of this call in milliseconds. */
  timeoutMs?: number;
}

/** {@link BridgeClientOptions}, checked and complete. */
export type Settings = Required<Omit<BridgeClientOptions, 'clientId' | 'clientSecret' | 'fetch' | 'log'>> & {
  credentials: { clientId: string; clientSecret: string } | undefined;
  /** Absent: the platform's. */
  fetch: BridgeClientOptions['fetch'];
  /** Absent: nobody listens, and no line is made. */
  log: Log | undefined;
};

/** The longest that timers can be set for. */
const longestTimeoutMs = 2_147_483_647;

/** Checks the options of a client. @throws TypeError that names the wrong one. */
export function readSettings(options: BridgeClientOptions): Settings {
  const { clientId, clientSecret, timeoutMs = 10_000, retries = 2 } = options;
  for (const [name, value] of Object.entries({ clientId, clientSecret })) {
    if (value !== undefined && (typeof value !== 'string' || value === '')) {
      throw new TypeError(`${name} must be a text that is not empty. Is the environment variable set?`);
    }
  }
  if (!clientId !== !clientSecret) {
    throw new TypeError('clientId and clientSecret belong together: give both or none.');
  }
  if (!Number.isInteger(retries) || retries < 0) throw new TypeError('retries must be 0 or a positive integer.');
  return {
    baseUrl: withoutTrailingSlash(parseConfiguredUrl('baseUrl', options.baseUrl)),
    credentials: clientId && clientSecret ? { clientId, clientSecret } : undefined,
    // The platform's is looked up for each call: what counts calls is often put in its place later.
    fetch: options.fetch,
    timeoutMs: checkTimeout(timeoutMs),
    retries,
    log: options.log && harmless(options.log),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

/** Checks a deadline. @throws TypeError */
export function checkTimeout(timeoutMs: number): number {
  // Not a text of digits either: the deadline is what it is added to.
  if (!(timeoutMs > 0 && timeoutMs === Math.min(timeoutMs, longestTimeoutMs))) {
    throw new TypeError('timeoutMs must be a positive number of milliseconds, at most 24 days.');
  }
  return timeoutMs;
}
