import { resolve } from 'node:path';
import { rateLimits } from '../domain/limits/limits.js';
import { answersAgeDays } from '../domain/applications/background.js';
import { type SecondPersonTask, secondPersonTasks } from '../domain/second-person/tasks.js';
import { parseDatabaseUrl } from './database-url.js';
import { operatorVariables } from './environment-operator.js';
import { fileVariableOf, readVariable } from './secret-files.js';
import {
  logLevels,
  WrongValue,
  isLoopbackHost,
  matching,
  parseInteger,
  parseRetention,
  parseHost,
  parsePort,
  parseScale,
  parseOrigin,
  parseApplyUrl,
  parseSecretKey,
  parseBoolean,
  parseLogLevel,
} from './environment-values.js';

export type { LogLevel } from './environment-values.js';

/** An environment variable. The docs and the tests use the table of them. */
export interface EnvironmentVariable<Value> {
  /** The default of an absent or empty variable, as text; `undefined` when there is none. */
  default: string | undefined;
  /** Parses the text. @throws WrongValue that says what is expected. */
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
    doc: 'The public URL of the API; in production https, or http on a loopback host. By default `http://127.0.0.1` with its port.',
  },
  APPLY_PORT: { default: '5172', parse: parsePort, doc: 'The port of the hosted application; 0 for any free one.' },
  APPLY_URL: {
    default: undefined,
    parse: parseApplyUrl,
    doc: 'The public origin of the hosted application: https, or http on a loopback host. By default `http://127.0.0.1` with its port.',
  },
  CONSOLE_PORT: {
    default: undefined,
    parse: parsePort,
    doc: 'The port of the console, in which operators file applications and enter decisions; 0 for any free one. By default there is no console.',
  },
  CONSOLE_HOST: {
    default: '127.0.0.1',
    parse: parseHost,
    doc: 'The address that the console listens on. It must not be public.',
  },
  CONSOLE_URL: {
    default: undefined,
    parse: parseApplyUrl,
    doc: 'The public origin of the console: https, or http on a loopback host. By default `http://127.0.0.1` with its port.',
  },
  BRIDGE_METRICS_PORT: {
    default: undefined,
    parse: parsePort,
    doc: 'The port of /metrics for Prometheus; 0 for any free one. By default there is none.',
  },
  BRIDGE_METRICS_HOST: {
    default: '127.0.0.1',
    parse: parseHost,
    doc: 'The address that /metrics listens on. It must not be public.',
  },
  DATABASE_URL: {
    default: undefined,
    parse: parseDatabaseUrl,
    doc: 'The URL of a PostgreSQL 15 or later, with one host and port: see [Database](deploy.md#database). Or DATABASE_URL_FILE: see [Keys](keys.md#keys-in-files). By default the bridge starts an embedded PostgreSQL in the data folder.',
  },
  BRIDGE_SCHEMA: {
    default: 'public',
    parse: (text: string) =>
      matching(text, /^[a-z_][a-z0-9_]{0,55}$/, 'a schema name of lower-case letters and digits'),
    doc: 'The schema of the tables; `migrate` creates it. The schema of the jobs is `pgboss`, or this name with `_jobs`.',
  },
  BRIDGE_POOL_SIZE: {
    default: '10',
    parse: (text: string) => parseInteger(text, 2, 1_000),
    doc: 'The maximum number of database connections of an instance for requests, webhooks and bulk onboardings; 4 more are for jobs.',
  },
  BRIDGE_CONNECT_TIMEOUT: {
    default: '10',
    parse: (text: string) => parseInteger(text, 1, 300),
    doc: 'The timeout for a connection to the database, also for a free one of the pool, in seconds.',
  },
  BRIDGE_KEEPALIVE: {
    default: '30',
    parse: (text: string) => parseInteger(text, 0, 7_200),
    doc: 'The number of idle seconds after which TCP checks a connection to the database; 0 never does.',
  },
  BRIDGE_STATEMENT_TIMEOUT: {
    default: '30',
    parse: (text: string) => parseInteger(text, 0, 3_600),
    doc: 'The number of seconds after which the database ends a statement; 0 keeps the setting of the database.',
  },
  BRIDGE_IDLE_TRANSACTION_TIMEOUT: {
    default: '60',
    parse: (text: string) => parseInteger(text, 0, 3_600),
    doc: 'The number of seconds after which the database ends an idle transaction; 0 keeps the setting of the database.',
  },
  BRIDGE_CONNECTION_SETTINGS: {
    default: 'true',
    parse: parseBoolean,
    doc: 'Whether settings, such as the two timeouts and the schema, are sent with each connection: `false` for a pooler that refuses them. See [PgBouncer](deploy.md#pgbouncer).',
  },
  BRIDGE_PREPARED_STATEMENTS: {
    default: 'true',
    parse: parseBoolean,
    doc: 'Whether frequent statements are prepared once per connection: `false` for a PgBouncer before 1.21. See [PgBouncer](deploy.md#pgbouncer).',
  },
  BRIDGE_DATA_DIR: {
    default: undefined,
    parse: (text: string) => resolve(text),
    doc: 'The folder of the embedded database and of the key that is made when none is given. By default the nearest `.data`, from the current folder up to its package, else `licensing-bridge` in XDG_DATA_HOME (~/.local/share).',
  },
  BRIDGE_SECRET_KEY: {
    default: undefined,
    parse: parseSecretKey,
    doc: 'The key for secrets, links and SSNs at rest: 32 bytes as base64 or hex. Required in production; otherwise the bridge creates one in the data folder. Or BRIDGE_SECRET_KEY_FILE: see [Keys](keys.md#keys-in-files).',
  },
  BRIDGE_OLD_SECRET_KEYS: {
    default: undefined,
    parse: (text: string) => text.split(',').map((key) => parseSecretKey(key.trim())),
    doc: 'Older keys for reading, newest first, separated by commas: see [Change the key](keys.md#change-the-key). Or BRIDGE_OLD_SECRET_KEYS_FILE.',
  },
  BRIDGE_TOKEN_TTL: {
    default: '3600',
    parse: (text: string) => parseInteger(text, 1, 31_536_000),
    doc: 'The lifetime of an access token, in seconds.',
  },
  BRIDGE_SESSION_TTL: {
    default: '86400',
    parse: (text: string) => parseInteger(text, 1, 31_536_000),
    doc: 'The lifetime of an applicationUrl, in seconds.',
  },
  BRIDGE_RETENTION_DAYS: {
    default: undefined,
    parse: (text: string) => parseInteger(text, answersAgeDays, 36_500),
    doc: `The number of days, at least ${answersAgeDays}, after which the data of users in ended applications is erased: see [Retention](retention.md). By default never.`,
  },
  BRIDGE_WEBHOOK_RETENTION_DAYS: {
    default: '90',
    parse: parseRetention,
    doc: 'The number of days for which delivered webhooks and their attempts are kept; 0 for ever.',
  },
  BRIDGE_DEAD_WEBHOOK_RETENTION_DAYS: {
    default: '365',
    parse: parseRetention,
    doc: 'The number of days for which dead-lettered webhooks can be replayed; 0 for ever.',
  },
  BRIDGE_BULK_RETENTION_DAYS: {
    default: '90',
    parse: parseRetention,
    doc: 'The number of days for which the results of a bulk onboarding can be read; 0 for ever.',
  },
  BRIDGE_UPDATE_RETENTION_DAYS: {
    default: '1095',
    parse: parseRetention,
    doc: "The number of days for which updates of the embedded registry are kept, besides each producer's newest; 0 for ever.",
  },
  BRIDGE_AUDIT_RETENTION_DAYS: {
    default: '2555',
    parse: parseRetention,
    doc: 'The number of days for which entries of the audit trail are kept; 0 for ever.',
  },
  BRIDGE_RATE_LIMIT: {
    default: String(rateLimits.requests.points),
    parse: (text: string) => parseInteger(text, 1, 1_000_000),
    doc: 'The maximum number of requests a minute of a credential with all its tokens, on all instances together.',
  },
  BRIDGE_PAGE_LIMIT: {
    default: String(rateLimits.pages.points),
    parse: (text: string) => parseInteger(text, 1, 1_000_000),
    doc: 'The maximum number of pages of the hosted application a minute for an IP address, on all instances together.',
  },
  BRIDGE_TRUSTED_PROXIES: {
    default: '0',
    parse: (text: string) => parseInteger(text, 0, 10),
    doc: 'The number of trusted proxies in front of the API and the hosted application, whose X-Forwarded-For contains the IP address of the caller.',
  },
  // Not the number above: operators often reach the console without a proxy, and could then choose the
  // address by which their failed sign-ins are counted.
  CONSOLE_TRUSTED_PROXIES: {
    default: '0',
    parse: (text: string) => parseInteger(text, 0, 10),
    doc: 'The number of trusted proxies in front of the console, like BRIDGE_TRUSTED_PROXIES.',
  },
  BRIDGE_STOP_DELAY: {
    default: '0',
    parse: (text: string) => parseInteger(text, 0, 300),
    doc: 'The number of seconds for which the bridge still serves after SIGTERM, while /readyz already fails.',
  },
  BRIDGE_WEBHOOK_RETRY_SCALE: {
    default: '1',
    parse: (text: string) => parseScale(text),
    doc: 'A factor for the delays between tries to deliver a webhook, such as 0.001 for tests.',
  },
  BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: {
    default: 'false',
    parse: parseBoolean,
    doc: 'Whether webhooks of test mode may be sent to loopback addresses, for development: true or false.',
  },
  BRIDGE_FILING: {
    default: 'manual',
    parse: parseFiling,
    doc: 'How live applications are filed with the states: manual (people file them in the console), or none, which refuses live sessions.',
  },
  BRIDGE_REQUIRE_TOTP: {
    default: 'false',
    parse: parseBoolean,
    doc: 'Whether every operator of the console needs an authenticator app: true or false. An operator without one can only set one up after the sign-in.',
  },
  BRIDGE_SECOND_PERSON: {
    default: 'none',
    parse: parseSecondPerson,
    doc: 'What a second operator has to confirm in the console: `corrections` of decisions, `refunds`, both separated by a comma, or none. See [Second person](live-mode.md#second-person).',
  },
  BRIDGE_ADAPTERS: {
    default: undefined,
    parse: (text: string) => resolve(text),
    doc: 'The path of an ES module with your adapters, from the current folder: see [Adapters](live-mode.md#adapters). By default there are none.',
  },
  BRIDGE_ALLOW_SAMPLE_FEES: {
    default: 'false',
    parse: parseBoolean,
    doc: 'Whether live sessions may use unverified fees of the catalogue, for development: true or false.',
  },
  ...operatorVariables,
  LOG_LEVEL: {
    default: 'info',
    parse: parseLogLevel,
    doc: `The log level: ${logLevels.join(', ')}.`,
  },
  NODE_ENV: {
    default: 'development',
    parse: (text: string) => text,
    doc: 'With `production` the bridge does not create a key.',
  },
} as const satisfies Record<string, EnvironmentVariable<unknown>>;

/** The name of a variable in {@link environmentVariables}. */
export type EnvironmentName = keyof typeof environmentVariables;

/** The parsed environment: `undefined` where a variable is absent and has no default. */
export type Environment = {
  readonly [Name in EnvironmentName]:
    | ReturnType<(typeof environmentVariables)[Name]['parse']>
    | ((typeof environmentVariables)[Name]['default'] extends string ? never : undefined);
};

/**
 * An invalid environment. The message contains every invalid variable, and no value, because a
 * value may be a secret.
 */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(`The environment is not usable.\n  ${problems.join('\n  ')}`, options);
  }
}

/** The problem of a production environment without a key, unless an adapter provides the key. */
export const missingKey = 'BRIDGE_SECRET_KEY: required in production (create one with openssl rand -base64 32)';

/**
 * Reads the environment. `needsKey`: whether production requires a key. Default: true.
 *
 * @throws EnvironmentError with every invalid variable.
 */
export function readEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  { needsKey = true }: { needsKey?: boolean } = {},
): Environment {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, variable] of Object.entries(environmentVariables)) {
    try {
      const given = readVariable(source, name);
      const text = given === undefined || given === '' ? variable.default : given;
      if (given !== undefined && isServiceLink(name, given)) {
        wrong.push(`${name}: ${serviceLinkAdvice(name)}`);
        continue;
      }
      values[name] = text === undefined ? undefined : variable.parse(text);
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      wrong.push(`${nameOfSource(source, name)}: expected ${error.message}`);
    }
  }
  const environment = values as Environment;
  if (
    needsKey &&
    environment.NODE_ENV === 'production' &&
    environment.BRIDGE_SECRET_KEY === undefined &&
    // Its adapters may provide the key. Otherwise the start fails with the same message.
    environment.BRIDGE_ADAPTERS === undefined &&
    !isNamed(wrong)
  ) {
    wrong.push(missingKey);
  }
  // Secrets and tokens of agencies pass there. In development, a network without TLS is common.
  if (environment.NODE_ENV === 'production' && isHttpInPublic(environment.BRIDGE_URL)) {
    wrong.push('BRIDGE_URL: expected an https address in production; http is for loopback hosts only');
  }
  if (wrong.length > 0) throw new EnvironmentError(wrong);
  return environment;
}

function isHttpInPublic(origin: string | undefined): boolean {
  if (origin === undefined) return false;
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

/** The variable that a value came from: `NAME`, or `NAME_FILE`. */
function nameOfSource(source: Readonly<Record<string, string | undefined>>, name: string): string {
  const fileVariable = fileVariableOf(name);
  const isInFile = fileVariable !== undefined && (source[fileVariable]?.trim() ?? '') !== '';
  return isInFile && (source[name]?.trim() ?? '') === '' ? fileVariable : name;
}

/** Kubernetes sets `BRIDGE_PORT=tcp://…` in the pods beside a Service named `bridge`. */
function isServiceLink(name: string, value: string): boolean {
  return name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value);
}

function serviceLinkAdvice(name: string): string {
  const service = name.slice(0, -'_PORT'.length).toLowerCase().replaceAll('_', '-');
  return `set by Kubernetes for the Service "${service}". Set it yourself, or "enableServiceLinks: false" for the pod`;
}

function isNamed(wrong: string[]): boolean {
  return wrong.some((line) => /^BRIDGE_SECRET_KEY(_FILE)?:/.test(line));
}

function parseSecondPerson(text: string): SecondPersonTask[] {
  if (text === 'none') return [];
  return text.split(',').map((name) => {
    const task = secondPersonTasks.find((known) => known === name.trim());
    if (task === undefined) throw new WrongValue('none, corrections, refunds or corrections,refunds');
    return task;
  });
}

function parseFiling(text: string): 'manual' | 'none' {
  if (text === 'manual' || text === 'none') return text;
  throw new WrongValue('manual or none');
}
