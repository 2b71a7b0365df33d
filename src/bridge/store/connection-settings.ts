import { sql } from 'kysely';
import type { Database } from './tables/typed-database.js';

/** A setting of the server that the bridge relies on. */
export interface RequiredSetting {
  name: string;
  /** The value; the server may add to it after a comma. */
  value: string;
  /** What goes wrong with another value, as a sentence. */
  reason: string;
  /** Whether it is of the database, so that no connection can change it. Default: false. */
  isOfDatabase?: boolean;
}

/**
 * Every setting without which the bridge misreads the database, or the database misreads the
 * bridge. Its default in PostgreSQL is right; a database or a role may have another. Each is sent
 * with a connection, and checked at the start. The docs have this table.
 */
export const requiredSettings: readonly RequiredSetting[] = [
  {
    name: 'default_transaction_isolation',
    value: 'read committed',
    reason: 'Transactions that wait for a lock would fail instead of seeing what the other one wrote.',
  },
  {
    name: 'DateStyle',
    value: 'ISO',
    reason: 'The driver cannot read times in another style, so that every token has expired.',
  },
  {
    name: 'standard_conforming_strings',
    value: 'on',
    reason: 'A backslash in a text of a statement would escape the next character.',
  },
  {
    name: 'server_encoding',
    value: 'UTF8',
    reason: 'The database could not store every name.',
    isOfDatabase: true,
  },
];

/** The settings that depend on the environment of the bridge. */
export interface ConnectionSettings {
  /** The schema of the tables. */
  schema: string;
  /** After how many seconds the server ends a statement; 0 leaves it to the server. */
  statementTimeoutSeconds: number;
  /**
   * After how many seconds the server ends a transaction that sends nothing; 0 leaves it to the
   * server.
   */
  idleTransactionTimeoutSeconds: number;
}

/**
 * Adds all settings to the URL of a database. They are sent in the startup packet of a connection,
 * because a `set` of the session would be lost, or affect other clients, behind PgBouncer in
 * transaction mode.
 */
export function withSettings(url: string, settings: ConnectionSettings): string {
  const { schema, statementTimeoutSeconds, idleTransactionTimeoutSeconds } = settings;
  const sent = [
    ...requiredSettings.filter(({ isOfDatabase }) => isOfDatabase !== true).map(({ name, value }) => [name, value]),
    ...(schema === 'public' ? [] : [['search_path', schema]]),
    ...(statementTimeoutSeconds === 0 ? [] : [['statement_timeout', `${statementTimeoutSeconds}s`]]),
    ...(idleTransactionTimeoutSeconds === 0
      ? []
      : [['idle_in_transaction_session_timeout', `${idleTransactionTimeoutSeconds}s`]]),
  ].map(([name = '', value = '']) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`);
  // Not with `URL`: it does not parse a connection string whose host is a socket folder in the
  // query.
  const [, address = url, query = ''] = /^([^?]*)\??(.*)$/.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  // The operator's own options come last and take precedence.
  parameters.set('options', [...sent, parameters.get('options') ?? ''].join(' ').trim());
  return `${address}?${parameters.toString().replaceAll('+', '%20')}`;
}

/** The statements that set every required setting for a role, for a pooler that passes none on. */
export function settingsOfRole(role: string): string[] {
  return requiredSettings
    .filter(({ isOfDatabase }) => isOfDatabase !== true)
    .map(({ name, value }) => `alter role ${role} set ${name} = '${value}';`);
}

/**
 * Resolves when the connections have every required setting.
 *
 * @throws Error that names each wrong one, and says where to change it.
 */
export async function assertSettings(db: Database): Promise<void> {
  const names = requiredSettings.map(({ name }) => name);
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name in (${sql.join(names)})`.execute(db);
  const wrong = requiredSettings.flatMap(({ name, value, isOfDatabase }) => {
    const found = rows.find((row) => row.name === name)?.setting ?? '';
    if (found.split(',')[0] === value) return [];
    const remedy =
      isOfDatabase === true
        ? 'Create a database with this encoding'
        : 'Remove it from DATABASE_URL, or set it for the role';
    return [`${name} is "${found}", and the bridge needs "${value}". ${remedy}.`];
  });
  if (wrong.length > 0) throw new Error(`${wrong.join(' ')} See "Settings" in docs/bridge/deploy.md.`);
}
