import { z } from 'zod';

/** The parameters of a database's URL that the driver reads. */
const readParameters: readonly string[] = [
  'application_name',
  'client_encoding',
  'fallback_application_name',
  'host',
  'idle_in_transaction_session_timeout',
  'lock_timeout',
  'options',
  'password',
  'port',
  'query_timeout',
  'ssl',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslnegotiation',
  'sslrootcert',
  'statement_timeout',
  'uselibpqcompat',
  'user',
];

/** Replacements of parameters of libpq that the driver does not read. */
const replacements: Readonly<Record<string, string>> = {
  connect_timeout: 'BRIDGE_CONNECT_TIMEOUT',
  dbname: 'the path of the URL',
  hostaddr: 'host',
  keepalives: 'BRIDGE_KEEPALIVE',
  keepalives_idle: 'BRIDGE_KEEPALIVE',
};

/** The URL of the database. */
export const databaseUrl = z
  .string()
  .refine(
    hasOneHost,
    'one host, without target_session_attrs: an address that leads to the primary after a failover, such as of a proxy, of PgBouncer or in DNS',
  )
  // The error of the driver only says that the URL is invalid. With a socket folder in the query the
  // host can be absent, which the driver accepts.
  .refine(
    (text) => /^postgres(ql)?:\/\/\S+$/.test(text) && URL.canParse(text.replace('@/', '@localhost/')),
    'a postgresql:// address; in its user and password %23 is #, %2F is /, %3A is :, %40 is @ and %25 is %',
  );

/** The driver would look up a host whose name has a comma, or connect to a standby. */
function hasOneHost(text: string): boolean {
  const parameters = parametersOf(text);
  const authority = /^[^/]*\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  const hosts = [authority.slice(authority.lastIndexOf('@') + 1), ...parameters.getAll('host')];
  return !hosts.some((host) => host.includes(',')) && !parameters.has('target_session_attrs');
}

/** A warning for each parameter of the database's URL that has no effect. Contains no value. */
export function describeIgnoredParameters(url: string): string[] {
  // A "?" of a password that is not encoded starts the query: its rest must not reach the log.
  if (url.slice(url.indexOf('?')).includes('@')) return [];
  return [...new Set(parametersOf(url).keys())]
    .filter((name) => /^\w+$/.test(name) && !readParameters.includes(name))
    .map((name) => {
      const instead = replacements[name];
      const advice = instead === undefined ? '' : ` Use ${instead} instead.`;
      return `The bridge does not read the parameter ${name} of DATABASE_URL: it has no effect.${advice}`;
    });
}

function parametersOf(url: string): URLSearchParams {
  // Not with `URL`: it does not parse every URL that the driver accepts.
  return new URLSearchParams(/\?(.*)$/.exec(url)?.[1]);
}
