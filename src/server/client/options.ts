import { z } from 'zod';
import { systemClock, type Clock } from '../scheduling.js';
import {
  anything,
  functionSchema,
  methodsSchema,
  parseConfiguredUrl,
  parseGiven,
  withoutTrailingSlash,
} from '../configuration.js';
import { ignoreErrors, type Log } from '../log.js';

/** Options of `createBridgeClient`. */
export interface BridgeClientOptions {
  /** The URL of the bridge without `/v1`. https, or http on localhost. */
  baseUrl: string;
  /**
   * The id that createAccountCredential (operation 3) issued. Absent: only
   * `account.createCredential` works.
   */
  clientId?: string;
  /** The live or the test secret, which selects the mode. */
  clientSecret?: string;
  /** Default: the global one. Called with a string and an init, `redirect: "manual"`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * The deadline of a whole call, login and repetitions included, in milliseconds. Default: 10,000.
   */
  timeoutMs?: number;
  /** The maximum number of repetitions, where repeating is safe. Default: 2. */
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

/** The credentials of a client. */
export interface Credentials {
  clientId: string;
  clientSecret: string;
}

// Not a string: adding it to the time would concatenate. Timers accept 24 days at most.
const timeoutMs = z.number().positive().max(2_147_483_647);
const unset = 'must not be empty; check that its environment variable is set';
const credential = z.string().min(1, unset).optional();

/** {@link CallOptions}. */
export const callOptionsSchema = z.strictObject({ signal: anything, timeoutMs: timeoutMs.optional() });

const optionsSchema = z.strictObject({
  baseUrl: anything.refine((value) => value !== '', unset),
  clientId: credential,
  clientSecret: credential,
  fetch: functionSchema.optional(),
  timeoutMs: timeoutMs.optional(),
  retries: z.int().min(0).optional(),
  log: functionSchema.optional(),
  // A string such as "false", from an environment variable, would count as true.
  allowInsecure: z.boolean().optional(),
  honorsIdempotencyKey: z.boolean().optional(),
  clock: methodsSchema('now', 'after').optional(),
  random: functionSchema.optional(),
} satisfies Record<keyof BridgeClientOptions, z.ZodType>);

/** Checks the options of a client. @throws TypeError that names the wrong one. */
export function readSettings(options: BridgeClientOptions): Settings {
  parseGiven('createBridgeClient', optionsSchema, options);
  const { baseUrl, clientId, clientSecret, log, allowInsecure } = options;
  if ((clientId === undefined) !== (clientSecret === undefined)) {
    throw new TypeError('clientId and clientSecret belong together: give both or none.');
  }
  return {
    baseUrl: withoutTrailingSlash(parseConfiguredUrl('baseUrl', baseUrl, allowInsecure)),
    credentials: clientId && clientSecret ? { clientId, clientSecret } : undefined,
    // The global one is looked up for each call: monitoring libraries often replace it later.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: options.timeoutMs ?? 10_000,
    retries: options.retries ?? 2,
    log: log ? ignoreErrors(log) : () => undefined,
    honorsIdempotencyKey: options.honorsIdempotencyKey ?? false,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}
