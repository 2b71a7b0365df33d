import { z } from 'zod';
import { stateCodes } from '../../contract/index.js';
import { rateLimits } from '../domain/limits/limits.js';
import { answersAgeDays } from '../domain/applications/background.js';
import { secondPersonTasks } from '../domain/second-person/tasks.js';
import { databaseUrl } from './database-url.js';
import { documentsUrl, scannerUrl } from './service-urls.js';
import { missingOidcVariables, oidcVariables } from './environment-oidc.js';
import { operatorVariables } from './environment-operator.js';
import { findStripeProblems, stripeVariables } from './environment-stripe.js';
import { findVariable } from './secret-files.js';
import { mailSender, smtpUrl } from './smtp-url.js';
import {
  host,
  isEncrypted,
  listOf,
  logLevel,
  logLevels,
  origin,
  pagesOrigin,
  path,
  port,
  retentionDays,
  scale,
  secretKey,
  trueOrFalse,
  wholeNumber,
  WrongValue,
} from './environment-values.js';

export type { LogLevel } from './environment-values.js';

/** An environment variable. The docs and the tests use the table of them. */
export interface EnvironmentVariable<Value> {
  /** The default of an absent or empty variable, as text; `undefined` when there is none. */
  default: string | undefined;
  /** Parses the text. The message of an issue says what is expected, without the value. */
  schema: z.ZodType<Value, string>;
  /** One sentence for the docs. */
  doc: string;
}

const secondPerson = z
  .string()
  .transform((text) => (text === 'none' ? [] : text.split(',').map((task) => task.trim())))
  .pipe(z.array(z.enum(secondPersonTasks, 'none, corrections, refunds or corrections,refunds')));

/** The states of test mode that people file with. */
const peopleFile = z
  .string()
  .transform((text) =>
    text === 'simulated' ? [] : text === 'manual' ? [...stateCodes] : text.split(',').map((code) => code.trim()),
  )
  .pipe(z.array(z.enum(stateCodes, 'simulated, manual, or state codes such as TX,CA')));

/** All environment variables of the bridge. */
export const environmentVariables = {
  BRIDGE_HOST: {
    default: '127.0.0.1',
    schema: host,
    doc: 'The address that the bridge listens on; 0.0.0.0 for all.',
  },
  BRIDGE_PORT: { default: '5171', schema: port, doc: 'The port of the API; 0 for any free one.' },
  BRIDGE_URL: {
    default: undefined,
    schema: origin,
    doc: 'The public URL of the API; in production https, or http on a loopback host. By default `http://127.0.0.1` with its port.',
  },
  APPLY_PORT: { default: '5172', schema: port, doc: 'The port of the hosted application; 0 for any free one.' },
  APPLY_URL: {
    default: undefined,
    schema: pagesOrigin,
    doc: 'The public origin of the hosted application: https, or http on a loopback host. By default `http://127.0.0.1` with its port.',
  },
  CONSOLE_PORT: {
    default: undefined,
    schema: port,
    doc: 'The port of the console, in which operators file applications and enter decisions; 0 for any free one. By default there is no console.',
  },
  CONSOLE_HOST: {
    default: '127.0.0.1',
    schema: host,
    doc: 'The address that the console listens on. It must not be public.',
  },
  CONSOLE_URL: {
    default: undefined,
    schema: pagesOrigin,
    doc: 'The public origin of the console: https, or http on a loopback host. By default `http://127.0.0.1` with its port.',
  },
  BRIDGE_METRICS_PORT: {
    default: undefined,
    schema: port,
    doc: 'The port of /metrics for Prometheus; 0 for any free one. By default there is none.',
  },
  BRIDGE_METRICS_HOST: {
    default: '127.0.0.1',
    schema: host,
    doc: 'The address that /metrics listens on. It must not be public.',
  },
  DATABASE_URL: {
    default: undefined,
    schema: databaseUrl,
    doc: 'The URL of a PostgreSQL 15 or later, with one host and port: see [Database](deploy.md#database). Or DATABASE_URL_FILE: see [Keys](keys.md#keys-in-files). By default the bridge starts an embedded PostgreSQL in the data folder.',
  },
  BRIDGE_SCHEMA: {
    default: 'public',
    schema: z.string().regex(/^[a-z_][a-z0-9_]{0,55}$/, 'a schema name of lower-case letters and digits'),
    doc: 'The schema of the tables; `migrate` creates it. The schema of the jobs is `pgboss`, or this name with `_jobs`.',
  },
  BRIDGE_POOL_SIZE: {
    default: '10',
    schema: wholeNumber(2, 1_000),
    doc: 'The maximum number of database connections of an instance for requests, webhooks and bulk onboardings; 4 more are for jobs.',
  },
  BRIDGE_CONNECT_TIMEOUT: {
    default: '5',
    schema: wholeNumber(1, 300),
    doc: 'The timeout for a connection to the database, also for a free one of the pool, in seconds.',
  },
  BRIDGE_KEEPALIVE: {
    default: '30',
    schema: wholeNumber(0, 7_200),
    doc: 'The number of idle seconds after which TCP checks a connection to the database; 0 never does.',
  },
  BRIDGE_STATEMENT_TIMEOUT: {
    default: '30',
    schema: wholeNumber(0, 3_600),
    doc: 'The number of seconds after which the database ends a statement; 0 keeps the setting of the database.',
  },
  BRIDGE_IDLE_TRANSACTION_TIMEOUT: {
    default: '60',
    schema: wholeNumber(0, 3_600),
    doc: 'The number of seconds after which the database ends an idle transaction; 0 keeps the setting of the database.',
  },
  BRIDGE_CONNECTION_SETTINGS: {
    default: 'true',
    schema: trueOrFalse,
    doc: 'Whether settings, such as the two timeouts and the schema, are sent with each connection: `false` for a pooler that refuses them. See [PgBouncer](deploy.md#pgbouncer).',
  },
  BRIDGE_PREPARED_STATEMENTS: {
    default: 'true',
    schema: trueOrFalse,
    doc: 'Whether frequent statements are prepared once per connection: `false` for a PgBouncer before 1.21. See [PgBouncer](deploy.md#pgbouncer).',
  },
  BRIDGE_DATA_DIR: {
    default: undefined,
    schema: path,
    doc: 'The folder of the embedded database and the key that the bridge makes. Default: a used `.data` in the current folder, or above it as far as the first `package.json`; else `licensing-bridge` in XDG_DATA_HOME (~/.local/share).',
  },
  BRIDGE_SECRET_KEY: {
    default: undefined,
    schema: secretKey,
    doc: 'The key for secrets, links and SSNs at rest: 32 bytes as base64 or hex. Required in production; otherwise the bridge creates one in the data folder. Or BRIDGE_SECRET_KEY_FILE: see [Keys](keys.md#keys-in-files).',
  },
  BRIDGE_OLD_SECRET_KEYS: {
    default: undefined,
    schema: listOf(secretKey),
    doc: 'Older keys for reading, newest first, separated by commas: see [Change the key](keys.md#change-the-key). Or BRIDGE_OLD_SECRET_KEYS_FILE.',
  },
  BRIDGE_TEST_SECRET_KEY: {
    default: undefined,
    schema: secretKey,
    doc: 'The key of test mode: see [Test mode apart](keys.md#test-mode-apart). By default BRIDGE_SECRET_KEY, or the key in the data folder. Or BRIDGE_TEST_SECRET_KEY_FILE.',
  },
  BRIDGE_OLD_TEST_SECRET_KEYS: {
    default: undefined,
    schema: listOf(secretKey),
    doc: 'Older keys of test mode for reading, newest first, separated by commas. Or BRIDGE_OLD_TEST_SECRET_KEYS_FILE.',
  },
  BRIDGE_TOKEN_TTL: {
    default: '3600',
    schema: wholeNumber(1, 31_536_000),
    doc: 'The lifetime of an access token, in seconds.',
  },
  BRIDGE_SESSION_TTL: {
    default: '86400',
    schema: wholeNumber(1, 31_536_000),
    doc: 'The lifetime of an applicationUrl, in seconds.',
  },
  BRIDGE_RETENTION_DAYS: {
    default: undefined,
    schema: wholeNumber(answersAgeDays, 36_500),
    doc: `The number of days, at least ${answersAgeDays}, after which the data of users in ended applications is erased: see [Retention](retention.md). By default never.`,
  },
  BRIDGE_WEBHOOK_RETENTION_DAYS: {
    default: '90',
    schema: retentionDays,
    doc: 'The number of days for which delivered webhooks and their attempts are kept; 0 for ever.',
  },
  BRIDGE_DEAD_WEBHOOK_RETENTION_DAYS: {
    default: '365',
    schema: retentionDays,
    doc: 'The number of days for which dead-lettered webhooks can be replayed; 0 for ever.',
  },
  BRIDGE_BULK_RETENTION_DAYS: {
    default: '90',
    schema: retentionDays,
    doc: 'The number of days for which the results of a bulk onboarding can be read; 0 for ever.',
  },
  BRIDGE_UPDATE_RETENTION_DAYS: {
    default: '1095',
    schema: retentionDays,
    doc: "The number of days for which updates of the embedded registry are kept, besides each producer's newest; 0 for ever.",
  },
  BRIDGE_AUDIT_RETENTION_DAYS: {
    default: '2555',
    schema: retentionDays,
    doc: 'The number of days for which entries of the audit trail are kept; 0 for ever.',
  },
  BRIDGE_RATE_LIMIT: {
    default: String(rateLimits.requests.points),
    schema: wholeNumber(1, 1_000_000),
    doc: 'The maximum number of requests a minute of a credential with all its tokens, on all instances together.',
  },
  BRIDGE_PAGE_LIMIT: {
    default: String(rateLimits.pages.points),
    schema: wholeNumber(1, 1_000_000),
    doc: 'The maximum number of pages of the hosted application a minute for an IP address, on all instances together.',
  },
  BRIDGE_TRUSTED_PROXIES: {
    default: '0',
    schema: wholeNumber(0, 10),
    doc: 'The number of trusted proxies in front of the API and the hosted application, whose X-Forwarded-For contains the IP address of the caller.',
  },
  // Not the number above: operators often reach the console without a proxy, and could then choose the
  // address by which their failed sign-ins are counted.
  CONSOLE_TRUSTED_PROXIES: {
    default: '0',
    schema: wholeNumber(0, 10),
    doc: 'The number of trusted proxies in front of the console, like BRIDGE_TRUSTED_PROXIES.',
  },
  BRIDGE_STOP_DELAY: {
    default: '0',
    schema: wholeNumber(0, 300),
    doc: 'The number of seconds for which the bridge still serves after SIGTERM, while /readyz already fails.',
  },
  BRIDGE_WEBHOOK_RETRY_SCALE: {
    default: '1',
    schema: scale,
    doc: 'A factor for the delays between tries to deliver a webhook, such as 0.001 for tests.',
  },
  BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: {
    default: 'false',
    schema: trueOrFalse,
    doc: 'Whether webhooks of test mode may be sent to loopback addresses, for development: true or false.',
  },
  BRIDGE_FILING: {
    default: 'manual',
    schema: z.enum(['manual', 'none'], 'manual or none'),
    doc: 'How live applications are filed with the states: manual (people file them in the console), or none, which refuses live sessions.',
  },
  BRIDGE_TEST_FILING: {
    default: 'simulated',
    schema: peopleFile,
    doc: 'How applications of test mode are decided: simulated, or by people in the console, for training: manual for all states, or a list of states such as TX,CA.',
  },
  BRIDGE_FILING_DAYS: {
    default: '3',
    schema: wholeNumber(1, 60),
    doc: 'The number of days in which a filing is to be filed. The filing queue of the console shows the day, and what is overdue.',
  },
  BRIDGE_REQUIRE_TOTP: {
    default: 'false',
    schema: trueOrFalse,
    doc: 'Whether every operator of the console with a password needs an authenticator app: true or false. An operator without one can only set one up after the sign-in.',
  },
  BRIDGE_SECOND_PERSON: {
    default: 'none',
    schema: secondPerson,
    doc: 'The acts in the console that a second operator has to confirm: `corrections` of decisions, `refunds`, both separated by a comma, or none. See [Second person](live-mode.md#second-person).',
  },
  BRIDGE_DOCUMENTS: {
    default: undefined,
    schema: documentsUrl,
    doc: 'Where uploaded documents are stored: `s3://bucket/prefix`, see [Documents in S3](live-mode.md#documents-in-s3). By default in the database.',
  },
  BRIDGE_S3_ENDPOINT: {
    default: undefined,
    schema: origin,
    doc: 'The URL of a server that is compatible with S3, for BRIDGE_DOCUMENTS. By default S3 of AWS.',
  },
  BRIDGE_SCANNER: {
    default: undefined,
    schema: scannerUrl,
    doc: 'The malware scanner of uploaded documents: `clamav://host:port` or `clamav+unix:///path`, see [Malware](live-mode.md#malware). By default none.',
  },
  ...stripeVariables,
  BRIDGE_ADAPTERS: {
    default: undefined,
    schema: path,
    doc: 'The path of an ES module with your adapters, from the current folder: see [Adapters](live-mode.md#adapters). By default there are none.',
  },
  BRIDGE_SMTP_URL: {
    default: undefined,
    schema: smtpUrl,
    doc: 'The URL of the mail server, with user and password: see [Mail](live-mode.md#mail). Or BRIDGE_SMTP_URL_FILE. By default the bridge sends no mail.',
  },
  BRIDGE_MAIL_FROM: {
    default: undefined,
    schema: mailSender,
    doc: 'The sender of the mails, such as `Example Licensing <licensing@example.com>`. Required with BRIDGE_SMTP_URL.',
  },
  BRIDGE_ALLOW_SAMPLE_FEES: {
    default: 'false',
    schema: trueOrFalse,
    doc: 'Whether live sessions may use unverified fees of the catalogue, for development: true or false.',
  },
  ...oidcVariables,
  ...operatorVariables,
  LOG_LEVEL: {
    default: 'info',
    schema: logLevel,
    doc: `The log level: ${logLevels.join(', ')}.`,
  },
  NODE_ENV: {
    default: 'development',
    schema: z.string(),
    doc: 'With `production` the bridge does not create a key.',
  },
} as const satisfies Record<string, EnvironmentVariable<unknown>>;

/** The name of a variable in {@link environmentVariables}. */
export type EnvironmentName = keyof typeof environmentVariables;

/** The parsed environment: `undefined` where a variable is absent and has no default. */
export type Environment = {
  readonly [Name in EnvironmentName]:
    | z.output<(typeof environmentVariables)[Name]['schema']>
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
    const found = findVariable(source, name);
    try {
      const given = found.read();
      const text = given === undefined || given === '' ? variable.default : given;
      if (given !== undefined && isServiceLink(name, given)) {
        wrong.push(`${name}: ${serviceLinkAdvice(name)}`);
        continue;
      }
      const parsed = text === undefined ? undefined : variable.schema.safeParse(text);
      if (parsed?.error) throw new WrongValue(parsed.error.issues[0]?.message);
      values[name] = parsed?.data;
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      wrong.push(`${found.name}: expected ${error.message}`);
    }
  }
  const environment = values as Environment;
  if (
    needsKey &&
    environment.NODE_ENV === 'production' &&
    environment.BRIDGE_SECRET_KEY === undefined &&
    // Its adapters may provide the key. Otherwise the start fails with the same message.
    environment.BRIDGE_ADAPTERS === undefined &&
    !isNamed(wrong, 'BRIDGE_SECRET_KEY')
  ) {
    wrong.push(missingKey);
  }
  if (isSameKey(environment)) wrong.push('BRIDGE_TEST_SECRET_KEY: expected another key than BRIDGE_SECRET_KEY');
  for (const name of missingOidcVariables(values)) {
    const isWrong = wrong.some((line) => line.startsWith(`${name}:`) || line.startsWith(`${name}_FILE:`));
    if (!isWrong) wrong.push(`${name}: required with the other variables of the identity provider`);
  }
  if (!wrong.some((line) => line.startsWith('BRIDGE_STRIPE_'))) wrong.push(...findStripeProblems(values));
  // Secrets and tokens of agencies pass there. In development, a network without TLS is common.
  const { NODE_ENV, BRIDGE_URL } = environment;
  if (NODE_ENV === 'production' && BRIDGE_URL !== undefined && !isEncrypted(BRIDGE_URL)) {
    wrong.push('BRIDGE_URL: expected an https address in production; http is for loopback hosts only');
  }
  if (
    environment.BRIDGE_SMTP_URL !== undefined &&
    environment.BRIDGE_MAIL_FROM === undefined &&
    !isNamed(wrong, 'BRIDGE_MAIL_FROM')
  ) {
    wrong.push('BRIDGE_MAIL_FROM: required with BRIDGE_SMTP_URL');
  }
  if (wrong.length > 0) throw new EnvironmentError(wrong);
  return environment;
}

/** One key for both would keep nothing apart. */
function isSameKey({ BRIDGE_SECRET_KEY, BRIDGE_TEST_SECRET_KEY }: Environment): boolean {
  return BRIDGE_SECRET_KEY !== undefined && BRIDGE_TEST_SECRET_KEY?.equals(BRIDGE_SECRET_KEY) === true;
}

/** Kubernetes sets `BRIDGE_PORT=tcp://…` in the pods beside a Service named `bridge`. */
function isServiceLink(name: string, value: string): boolean {
  return name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value);
}

function serviceLinkAdvice(name: string): string {
  const service = name.slice(0, -'_PORT'.length).toLowerCase().replaceAll('_', '-');
  return `set by Kubernetes for the Service "${service}". Set it yourself, or "enableServiceLinks: false" for the pod`;
}

/** Whether the problem of a variable is among those found. */
function isNamed(wrong: readonly string[], name: EnvironmentName): boolean {
  return wrong.some((line) => line.startsWith(`${name}:`) || line.startsWith(`${name}_FILE:`));
}
