import { sql } from 'kysely';
import type { Logger } from 'pino';
import { loadShippedCatalogue } from '../../catalogue/shipped.js';
import type { Environment } from '../../config/environment.js';
import type { AuditActor } from '../../domain/audit/audit.js';
import { createCatalogues } from '../../domain/catalogue/catalogues.js';
import { listOperators } from '../../domain/operators/operators.js';
import { guardAdapters, type GuardedAdapters } from '../../ports/guard-adapters.js';
import type { Database } from '../../store/tables/typed-database.js';
import { adaptersOf } from '../adapters.js';
import {
  assertKnownKeys,
  keyProviderOf,
  openEnvironmentDatabase,
  openKeys,
  prepareDatabase,
  type OpenedDatabase,
} from '../core.js';
import { attempt, checkConnections } from './connections.js';
import { finding, type Finding } from './finding.js';
import { checkSettings } from './settings.js';

/** The dependencies of a check. */
export interface CheckOptions {
  /** The variables of the environment, to find misspelled ones. */
  variables: Readonly<Record<string, string | undefined>>;
  log: Logger;
  actor: AuditActor;
}

/**
 * Finds what live mode needs and does not have, and tries each connection. Like every command, it
 * updates the tables of an embedded database, and records the key of a new database.
 */
export async function checkBridge(environment: Environment, options: CheckOptions): Promise<Finding[]> {
  let adapters: GuardedAdapters = guardAdapters({});
  const loading = await attempt('Adapters', async () => {
    adapters = guardAdapters(await adaptersOf(environment));
    const names = Object.entries(adapters).flatMap(([name, adapter]) => (adapter === undefined ? [] : name));
    return names.length === 0 ? 'None is set.' : `${names.join(', ')}.`;
  });
  const [database, connections] = await Promise.all([
    checkDatabase(environment, adapters, options),
    checkConnections(adapters),
  ]);
  return [...checkSettings(environment, options.variables, adapters), ...database, loading, ...connections];
}

async function checkDatabase(
  environment: Environment,
  { keyProvider }: GuardedAdapters,
  { log, actor }: CheckOptions,
): Promise<Finding[]> {
  let database: OpenedDatabase | undefined;
  const opening = await attempt('Database', async () => {
    database = await openEnvironmentDatabase(environment, log);
    await prepareDatabase(database, environment, { actor });
    const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(
      database.db,
    );
    return `PostgreSQL ${rows[0]?.version ?? ''}, and its tables are up to date.`;
  });
  try {
    const isOpen = opening.status === 'ok';
    const key = await checkKey(environment, { keyProvider, database: isOpen ? database : undefined, actor });
    return [opening, key, ...(isOpen && database ? await checkRecords(environment, database.db) : [])];
  } finally {
    await database?.close();
  }
}

async function checkKey(
  environment: Environment,
  {
    keyProvider,
    database,
    actor,
  }: Pick<GuardedAdapters, 'keyProvider'> & {
    database: OpenedDatabase | undefined;
    actor: AuditActor;
  },
): Promise<Finding> {
  if (keyProvider === undefined && environment.BRIDGE_SECRET_KEY === undefined) {
    const text = 'Set BRIDGE_SECRET_KEY: no other instance and no backup would have a key that the bridge creates.';
    return { status: 'missing', subject: 'Key', text };
  }
  return attempt('Key', async () => {
    const provider = keyProvider ?? keyProviderOf(environment);
    const keys = await openKeys(provider);
    if (database === undefined) return `${provider.source} is set.`;
    await assertKnownKeys(database, { keys, provider }, { actor });
    return `${provider.source} is the key of this database. Its backup must be elsewhere than that of the database.`;
  });
}

/** Checks what operators have entered into the database. */
async function checkRecords({ BRIDGE_REQUIRE_TOTP: isTotpRequired }: Environment, db: Database): Promise<Finding[]> {
  const catalogue = await createCatalogues(await loadShippedCatalogue()).current(db, new Date());
  const { version, jurisdictions } = catalogue;
  const verified = jurisdictions.filter(({ fees, processingFee }) =>
    [...fees, processingFee].every(({ sample }) => !sample),
  );
  const unverified = jurisdictions.length - verified.length;
  const operators = (await listOperators({ db })).filter(({ disabledAt }) => disabledAt === '');
  const filers = operators.filter(({ role }) => role !== 'view');
  const withoutCode = operators.filter(({ hasTotp }) => !hasTotp).length;
  return [
    finding(
      'Fees',
      unverified === 0,
      `The catalogue ${version} has verified fees of all states.`,
      verified.length === 0 ? 'missing' : 'note',
      `The catalogue ${version} has unverified fees of ${unverified} of ${jurisdictions.length} states: live sessions for them are rejected (40018).`,
    ),
    finding(
      'Operators',
      filers.length > 0,
      `${filers.length} of ${operators.length} operators of the console may file.`,
      'missing',
      'Nobody may file in the console. Create an operator: licensing-bridge operator create --name NAME --role file',
    ),
    finding(
      'Authenticator',
      isTotpRequired || (operators.length > 0 && withoutCode === 0),
      'Every operator needs a code of an authenticator app.',
      'missing',
      `${withoutCode} of ${operators.length} operators sign in with a password alone. Set BRIDGE_REQUIRE_TOTP=true.`,
    ),
  ];
}
