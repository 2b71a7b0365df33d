import { resolve } from 'node:path';
import { answersAgeDays } from './domain/sessions/answers-age.js';

/** The levels of the log, the quietest first. */
const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug'] as const;

/** One of the log's levels. */
export type LogLevel = (typeof logLevels)[number];

/** One environment variable. The docs and the tests are made from the table of them. */
export interface EnvironmentVariable<Value> {
  /** What an absent or empty variable stands for, as text; `undefined` when that means something of its own. */
  default: string | undefined;
  /** Reads the text. @throws WrongValue that says what is expected. */
  parse(text: string): Value;
  /** One sentence for the docs. */
  doc: string;
}

/** All environment variables of the bridge. */
export const environmentVariables = {
  BRIDGE_HOST: {
    default: '127.0.0.1',
    parse: parseHost,
    doc: 'The address that the bridge listens on; 0.0.0.0 for all.',
  },
  BRIDGE_PORT: { default: '5171', parse: parsePort, doc: 'The port of the API; 0 for any free one.' },
  BRIDGE_URL: {
    default: undefined,
    parse: parseOrigin,
    doc: 'The public address of the API. By default http://127.0.0.1 with its port.',
  },
  APPLY_PORT: { default: '5172', parse: parsePort, doc: 'The port of the hosted application; 0 for any free one.' },
  APPLY_URL: {
    default: undefined,
    parse: parseApplyUrl,
    doc: 'The public origin of the hosted application: https, or http on a loopback host. By default http://127.0.0.1 with its port.',
  },
  BRIDGE_METRICS_PORT: {
    default: undefined,
    parse: parsePort,
    doc: 'The port of /metrics for Prometheus; 0 for any free one. By default there is none.',
  },
  BRIDGE_METRICS_HOST: {
    default: '127.0.0.1',
    parse: parseHost,
    doc: 'The address that /metrics listens on. Never one that the public reaches.',
  },
  DATABASE_URL: {
    default: undefined,
    parse: parseDatabaseUrl,
    doc: 'A PostgreSQL 15 or later. By default one that npm brings is started in the data folder.',
  },
  BRIDGE_SCHEMA: {
    default: 'public',
    parse: (text: string) =>
      matching(text, /^[a-z_][a-z0-9_]{0,55}$/, 'a schema name of lower-case letters and digits'),
    doc: 'The schema of the tables in the database; `migrate` creates it. That of the jobs is `pgboss`, or its name and `_jobs`.',
  },
  BRIDGE_POOL_SIZE: {
    default: '10',
    parse: (text: string) => parseInteger(text, 2, 1_000),
    doc: 'The most connections to the database that an instance opens for requests, webhooks and bulk onboardings; 4 more are for jobs.',
  },
  BRIDGE_CONNECT_TIMEOUT: {
    default: '10',
    parse: (text: string) => parseInteger(text, 1, 300),
    doc: 'How long to wait for a connection to the database, also for a free one of the pool, in seconds.',
  },
  BRIDGE_KEEPALIVE: {
    default: '30',
    parse: (text: string) => parseInteger(text, 0, 7_200),
    doc: 'After how many idle seconds TCP checks a connection to the database; 0 never does.',
  },
  BRIDGE_STATEMENT_TIMEOUT: {
    default: '30',
    parse: (text: string) => parseInteger(text, 0, 3_600),
    doc: 'After how many seconds the database ends a statement; 0 leaves that to the database. See "PgBouncer".',
  },
  BRIDGE_IDLE_TRANSACTION_TIMEOUT: {
    default: '60',
    parse: (text: string) => parseInteger(text, 0, 3_600),
    doc: 'After how many seconds the database ends a transaction that sends nothing; 0 leaves that to the database. See "PgBouncer".',
  },
  BRIDGE_PREPARED_STATEMENTS: {
    default: 'on',
    parse: (text: string) => parseSwitch(text),
    doc: 'Whether frequent statements are prepared once a connection: `off` for a PgBouncer before 1.21. See "PgBouncer".',
  },
  BRIDGE_DATA_DIR: {
    default: undefined,
    parse: (text: string) => resolve(text),
    doc: 'The folder of the embedded database and of the key that is made when none is given. By default the nearest `.data`, from the current folder up to its package, else `licensing-bridge` in XDG_DATA_HOME (~/.local/share).',
  },
  BRIDGE_SECRET_KEY: {
    default: undefined,
    parse: parseSecretKey,
    doc: 'Protects secrets, links and SSNs at rest: 32 bytes as base64 or hex. Required in production; else made and kept in the data folder.',
  },
  BRIDGE_OLD_SECRET_KEYS: {
    default: undefined,
    parse: (text: string) => text.split(',').map((key) => parseSecretKey(key.trim())),
    doc: 'Further keys that are still read, the newest first, with commas: see "Changing the key".',
  },
  BRIDGE_TOKEN_TTL: {
    default: '3600',
    parse: (text: string) => parseInteger(text, 1, 31_536_000),
    doc: 'How long an access token lives, in seconds.',
  },
  BRIDGE_SESSION_TTL: {
    default: '86400',
    parse: (text: string) => parseInteger(text, 1, 31_536_000),
    doc: 'How long an applicationUrl works, in seconds.',
  },
  BRIDGE_RETENTION_DAYS: {
    default: undefined,
    parse: (text: string) => parseInteger(text, answersAgeDays, 36_500),
    doc: `After how many days, ${String(answersAgeDays)} at least, what users typed in applications that have ended is erased: see "Retention". By default never.`,
  },
  BRIDGE_WEBHOOK_RETENTION_DAYS: {
    default: '90',
    parse: parseRetention,
    doc: 'For how many days delivered webhooks and their attempts are kept; 0 for ever.',
  },
  BRIDGE_DEAD_WEBHOOK_RETENTION_DAYS: {
    default: '365',
    parse: parseRetention,
    doc: 'For how many days webhooks that were given up can be replayed; 0 for ever.',
  },
  BRIDGE_BULK_RETENTION_DAYS: {
    default: '90',
    parse: parseRetention,
    doc: 'For how many days the results of a bulk onboarding can be read; 0 for ever.',
  },
  BRIDGE_UPDATE_RETENTION_DAYS: {
    default: '1095',
    parse: parseRetention,
    doc: "For how many days updates of the embedded registry are kept, besides each producer's newest; 0 for ever.",
  },
  BRIDGE_RATE_LIMIT: {
    default: '600',
    parse: (text: string) => parseInteger(text, 1, 1_000_000),
    doc: 'How many requests a minute one token may make, on all instances together.',
  },
  BRIDGE_TRUSTED_PROXIES: {
    default: '0',
    parse: (text: string) => parseInteger(text, 0, 10),
    doc: 'How many proxies in front are trusted to say in X-Forwarded-For who is calling.',
  },
  BRIDGE_STOP_DELAY: {
    default: '0',
    parse: (text: string) => parseInteger(text, 0, 300),
    doc: 'How long the bridge goes on serving when it is told to stop, in seconds, while /readyz already says no.',
  },
  BRIDGE_WEBHOOK_RETRY_SCALE: {
    default: '1',
    parse: (text: string) => parseScale(text),
    doc: 'Multiplies the delays between tries to deliver a webhook, such as 0.001 for tests.',
  },
  BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: {
    default: 'false',
    parse: parseBoolean,
    doc: 'Whether webhooks of test mode may go to the machine that the bridge runs on, for development: true or false.',
  },
  LOG_LEVEL: {
    default: 'info',
    parse: parseLogLevel,
    doc: `How much is logged: ${logLevels.join(', ')}.`,
  },
  NODE_ENV: {
    default: 'development',
    parse: (text: string) => text,
    doc: 'In `production` the bridge makes no key by itself.',
  },
} as const satisfies Record<string, EnvironmentVariable<unknown>>;

/** The name of a variable in {@link environmentVariables}. */
export type EnvironmentName = keyof typeof environmentVariables;

/** The environment, read: `undefined` where a variable is absent and has no default. */
export type Environment = {
  readonly [Name in EnvironmentName]:
    | ReturnType<(typeof environmentVariables)[Name]['parse']>
    | ((typeof environmentVariables)[Name]['default'] extends string ? never : undefined);
};

/** The environment is wrong. The message names every wrong variable, and no value: one may be a secret. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

class WrongValue extends Error {}

/**
 * Reads the environment. `needsKey`: whether `BRIDGE_SECRET_KEY` is required in production. Default: true.
 *
 * @throws EnvironmentError that names every wrong variable.
 */
export function readEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  { needsKey = true }: { needsKey?: boolean } = {},
): Environment {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, variable] of Object.entries(environmentVariables)) {
    const given = source[name]?.trim();
    const text = given === undefined || given === '' ? variable.default : given;
    try {
      values[name] = text === undefined ? undefined : variable.parse(text);
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      wrong.push(`${name}: expected ${error.message}`);
    }
  }
  const environment = values as Environment;
  if (
    needsKey &&
    environment.NODE_ENV === 'production' &&
    environment.BRIDGE_SECRET_KEY === undefined &&
    !isNamed(wrong)
  ) {
    wrong.push('BRIDGE_SECRET_KEY: required in production (openssl rand -base64 32 makes one)');
  }
  if (wrong.length > 0) throw new EnvironmentError(`The environment is not usable.\n  ${wrong.join('\n  ')}`);
  return environment;
}

function isNamed(wrong: string[]): boolean {
  return wrong.some((line) => line.startsWith('BRIDGE_SECRET_KEY:'));
}

function matching(text: string, pattern: RegExp, expected: string): string {
  if (!pattern.test(text)) throw new WrongValue(expected);
  return text;
}

function parseInteger(text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new WrongValue(`a whole number from ${String(least)} to ${String(most)}`);
  }
  return value;
}

/** The driver says no more of an address that it cannot read than that it is none. */
function parseDatabaseUrl(text: string): string {
  const expected =
    'a postgresql:// address; in its user and password %23 is #, %2F is /, %3A is :, %40 is @ and %25 is %';
  // With a socket's folder in the query there need not be a host, which is no mistake for the driver.
  const isReadable = URL.canParse(text.replace('@/', '@localhost/'));
  if (!isReadable) throw new WrongValue(expected);
  return matching(text, /^postgres(ql)?:\/\/\S+$/, expected);
}

function parseRetention(text: string): number {
  return parseInteger(text, 0, 36_500);
}

function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new WrongValue('on or off');
  return text === 'on';
}

function parseHost(text: string): string {
  return matching(text, /^[A-Za-z0-9.:-]+$/, 'a host name or an IP address');
}

function parsePort(text: string): number {
  return parseInteger(text, 0, 65_535);
}

function parseScale(text: string): number {
  const value = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || value <= 0 || value > 100) throw new WrongValue('a number above 0, at most 100');
  return value;
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href) {
    throw new WrongValue('an address such as https://bridge.example, without path, query, user or password');
  }
  return url.origin;
}

/** SSNs are typed there, so they must not travel in the clear. Browsers would also send its forms without an origin. */
function parseApplyUrl(text: string): string {
  const origin = parseOrigin(text);
  const { protocol, hostname } = new URL(origin);
  const isLoopback =
    hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127(\.\d+){3}$|\[::1\]$)/.test(hostname);
  if (protocol !== 'https:' && !isLoopback) throw new WrongValue('an https address; http is for loopback hosts only');
  return origin;
}

function parseSecretKey(text: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
  if (key.length !== 32 || !(isBase64 || /^[0-9a-f]{64}$/i.test(text))) {
    throw new WrongValue('32 bytes as base64 or hex (openssl rand -base64 32 makes them)');
  }
  return key;
}

function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new WrongValue('true or false');
  return text === 'true';
}

function parseLogLevel(text: string): LogLevel {
  const level = logLevels.find((name) => name === text);
  if (level === undefined) throw new WrongValue(`one of ${logLevels.join(', ')}`);
  return level;
}
