import {
  assertFunctions,
  assertGroup,
  assertKnownNames,
  parseConfiguredUrl,
  withoutTrailingSlash,
} from '../configuration.js';
import { systemClock, type Clock } from '../clock.js';
import { ignoreErrors, type Log } from '../log.js';

/** Options of `createBridgeClient`. */
export interface BridgeClientOptions {
  /** The URL of the bridge without `/v1`. https, or http on localhost. */
  baseUrl: string;
  /** The id that operation 3 issued. Absent: only `account.createCredential` works. */
  clientId?: string;
  /** The live or the test secret; it decides which data the client sees. */
  clientSecret?: string;
  /** Default: the global one. Called with a string and an init, `redirect: "manual"`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * The deadline of a whole call, login and repetitions included, in milliseconds. Default: 10,000.
   */
  timeoutMs?: number;
  /** How often a call is repeated at most, where repeating is safe. Default: 2. */
  retries?: number;
  /** Receives an entry for every attempt: operation, status, duration. Default: none. */
  log?: Log;
  /**
   * Whether http is allowed on any host, such as `http://bridge:5171` in a compose network.
   * Default: `false`.
   */
  allowInsecure?: boolean;
  /**
   * Whether the host honours `Idempotency-Key`, so that `sessions.create` is repeated after a
   * broken connection and a 5xx, too. Set it to `true` for the bridge of this package. Default:
   * `false`.
   */
  honorsIdempotencyKey?: boolean;
  /** Default: the real one. */
  clock?: Clock;
  /** Returns a number from 0 up to 1, for the jitter. Default: `Math.random`. */
  random?: () => number;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call: it rejects with the code `aborted`. */
  signal?: AbortSignal;
  /** The deadline of this call in milliseconds. Default: the client's. */
  timeoutMs?: number;
}

/** {@link BridgeClientOptions}, checked and complete. */
export interface Settings extends Required<Omit<BridgeClientOptions, 'clientId' | 'clientSecret' | 'allowInsecure'>> {
  credentials: Credentials | undefined;
}

/** What a client logs in with. */
export interface Credentials {
  clientId: string;
  clientSecret: string;
}

const names: readonly (keyof BridgeClientOptions)[] = [
  ...(['baseUrl', 'clientId', 'clientSecret', 'fetch', 'timeoutMs', 'retries', 'log'] as const),
  ...(['allowInsecure', 'honorsIdempotencyKey', 'clock', 'random'] as const),
];

/** The longest that timers can be set for. */
const longestTimeoutMs = 2_147_483_647;

/** Checks the options of a client. @throws TypeError that names the wrong one. */
export function readSettings(options: BridgeClientOptions): Settings {
  assertGroup('The options of createBridgeClient', options);
  assertKnownNames('createBridgeClient', options, names);
  const { retries = 2, allowInsecure = false, honorsIdempotencyKey = false, log } = options;
  if (!Number.isInteger(retries) || retries < 0) throw new TypeError('retries must be 0 or a positive integer.');
  for (const [name, value] of Object.entries({ allowInsecure, honorsIdempotencyKey })) {
    // The text "false" of an environment variable would count as true.
    if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false.`);
  }
  const functions = ['fetch', 'log', 'random'] as const;
  assertFunctions(
    '',
    options,
    functions.filter((name) => options[name] !== undefined),
  );
  if (options.clock !== undefined) assertFunctions('clock.', options.clock, ['now', 'after']);
  return {
    baseUrl: withoutTrailingSlash(parseConfiguredUrl('baseUrl', options.baseUrl, { allowInsecure })),
    credentials: readCredentials(options),
    // The global one is looked up for each call: monitoring libraries often replace it later.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: checkTimeout(options.timeoutMs ?? 10_000),
    retries,
    log: log ? ignoreErrors(log) : () => undefined,
    honorsIdempotencyKey,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

function readCredentials({ clientId, clientSecret }: BridgeClientOptions): Credentials | undefined {
  for (const [name, value] of Object.entries({ clientId, clientSecret })) {
    if (value !== undefined && (typeof value !== 'string' || value === '')) {
      throw new TypeError(`${name} must be a text that is not empty. Is the environment variable set?`);
    }
  }
  if (!clientId && !clientSecret) return undefined;
  if (!clientId || !clientSecret) {
    throw new TypeError('clientId and clientSecret belong together: give both or none.');
  }
  return { clientId, clientSecret };
}

/** Checks a deadline. @throws TypeError */
export function checkTimeout(timeoutMs: number): number {
  // A text of digits is refused, too: the deadline would be the sum of a number and a text.
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0 || timeoutMs > longestTimeoutMs) {
    throw new TypeError('timeoutMs must be a positive number of milliseconds, at most 24 days.');
  }
  return timeoutMs;
}
