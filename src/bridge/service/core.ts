import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { CatalogueContent } from '../catalogue/content.js';
import type { Mode } from '../../contract/index.js';
import { loadShippedCatalogue } from '../catalogue/shipped.js';
import { describeOtherData, findDataFolder, placesOf } from '../config/data-folder.js';
import { actorOfContext, type AuditActor, type AuditedContext, recordAudits } from '../domain/audit/audit.js';
import { storeCatalogue } from '../domain/catalogue/catalogues.js';
import { createKeys, type Keys } from '../domain/keys/keys.js';
import { enterKeys } from '../domain/keys/secret-keys.js';
import type { Environment } from '../config/environment.js';
import { areJobsPending, jobSchemaOf, migrateJobs, type JobDatabase } from './jobs.js';
import { environmentKeys, loadKeysOf } from '../adapters/environment-keys.js';
import type { KeyProvider } from '../ports/key-provider.js';
import { assertSettings, withSettings } from '../store/connection-settings.js';
import { openPool, type DatabaseOptions, type PoolUse } from '../store/database.js';
import { openEmbedded } from '../store/embedded/embedded.js';
import { findPending, migrate } from '../store/migrate.js';
import type { Database } from '../store/tables/typed-database.js';
import { findOutage } from '../store/outages.js';

/** The database of an environment, the given one or the embedded one. */
export interface OpenedDatabase {
  db: Database;
  /** The connections of the pool. */
  poolUse: () => PoolUse;
  jobs: JobDatabase;
  /** Whether it is the embedded database. */
  isEmbedded: boolean;
  /**
   * Closes the connections and, for the last process, stops the embedded server. A second call
   * waits for the first.
   */
  close(): Promise<void>;
}

/** The common parts of the service and the operator's commands. */
export interface BridgeCore extends OpenedDatabase {
  keys: Keys;
}

/** Options of {@link openCore}. */
export interface CoreOptions {
  /** Whether a key is accepted that the database was never used with. Default: false. */
  isKeyTrusted?: boolean;
  /** The key provider. Default: the keys of the environment. */
  keys?: KeyProvider | undefined;
  /** The actor of what the opening changes, such as migrations. Default: the bridge. */
  actor?: AuditActor;
}

/** How much longer than its timeout a statement and its answer may take. */
const statementMarginSeconds = 5;

/**
 * Opens the database of the environment and reads the key. Updates the tables of the embedded
 * database, but only checks those of `DATABASE_URL`: the role of a serving bridge may lack the
 * right to change them, and a command on another machine must not.
 *
 * @throws Error that says which variable to change, or which command to run.
 */
export async function openCore(environment: Environment, log: Logger, options: CoreOptions = {}): Promise<BridgeCore> {
  const provider = options.keys ?? keyProviderOf(environment);
  const isKeyInFolder = options.keys === undefined && environment.BRIDGE_SECRET_KEY === undefined;
  const isFolderUsed = environment.DATABASE_URL === undefined || isKeyInFolder;
  const other = isFolderUsed ? describeOtherData(dataFolderOf(environment), placesOf(process.env)) : undefined;
  if (other !== undefined) log.warn(other);
  const keys = await openKeys(provider);
  const database = await openEnvironmentDatabase(environment, log);
  try {
    await prepareDatabase(database, environment, options);
    await assertKnownKeys(database, { keys, provider }, options);
    return { ...database, keys };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The keys of the environment, or else the key in the data folder. */
export function keyProviderOf(environment: Environment): KeyProvider {
  return environmentKeys(environment, () => dataFolderOf(environment));
}

/** Loads the keys of both modes. @throws Error when they cannot be loaded. */
export async function openKeys(provider: KeyProvider): Promise<Keys> {
  const live = await inDataFolder(loadKeysOf(provider, 'live'));
  return createKeys(live, await inDataFolder(loadKeysOf(provider, 'test')));
}

/** Updates the tables of the embedded database. @throws Error when those of another are not up to date. */
export async function prepareDatabase(
  database: OpenedDatabase,
  environment: Environment,
  options: Pick<CoreOptions, 'actor'> = {},
): Promise<void> {
  if (database.isEmbedded) await migrateDatabase(database, environment, options);
  else await usable(database, () => assertMigrated(database, environment));
}

/** Records the newest key of each mode. @throws Error when the database was used with other keys only. */
export async function assertKnownKeys(
  { db }: OpenedDatabase,
  { keys, provider }: { keys: Keys; provider: KeyProvider },
  options: Pick<CoreOptions, 'actor' | 'isKeyTrusted'> = {},
): Promise<void> {
  const context = auditedContext(db, options);
  const unknown = await enterKeys({ ...context, keys }, options.isKeyTrusted ?? false);
  if (unknown !== undefined) throw new Error(wrongKey(provider, unknown));
}

/** Opens the database of the environment. Connects only to the embedded one. */
export async function openEnvironmentDatabase(environment: Environment, log: Logger): Promise<OpenedDatabase> {
  const { DATABASE_URL } = environment;
  const embedded =
    DATABASE_URL === undefined ? await inDataFolder(openEmbedded({ folder: dataFolderOf(environment) })) : undefined;
  const isSending = environment.BRIDGE_CONNECTION_SETTINGS || DATABASE_URL === undefined;
  const serverUrl = DATABASE_URL ?? embedded?.url ?? '';
  const settings = {
    schema: environment.BRIDGE_SCHEMA,
    statementTimeoutSeconds: environment.BRIDGE_STATEMENT_TIMEOUT,
    idleTransactionTimeoutSeconds: environment.BRIDGE_IDLE_TRANSACTION_TIMEOUT,
  };
  const databaseUrl = isSending ? withSettings(serverUrl, settings) : serverUrl;
  const connections = connectionOptions(environment);
  const { db, use: poolUse } = openPool(databaseUrl, {
    ...connections,
    maxConnections: environment.BRIDGE_POOL_SIZE,
    isPreparing: environment.BRIDGE_PREPARED_STATEMENTS,
    onError: (error) => {
      log.warn({ err: error }, 'A connection to the database was lost.');
    },
  });
  let closed: Promise<void> | undefined;
  const close = async () => {
    await db.destroy();
    await embedded?.stop();
  };
  return {
    db,
    poolUse,
    jobs: { databaseUrl, schema: jobSchemaOf(environment.BRIDGE_SCHEMA), connections },
    isEmbedded: embedded !== undefined,
    close: () => (closed ??= close()),
  };
}

/** The options of every pool on the database. */
function connectionOptions(environment: Environment): DatabaseOptions {
  const { BRIDGE_STATEMENT_TIMEOUT: statementTimeout } = environment;
  return {
    connectTimeoutSeconds: environment.BRIDGE_CONNECT_TIMEOUT,
    keepAliveSeconds: environment.BRIDGE_KEEPALIVE,
    answerTimeoutSeconds: statementTimeout === 0 ? 0 : statementTimeout + statementMarginSeconds,
  };
}

/**
 * Updates the tables and the job schema of a database. Resolves with the names of the steps, in
 * order.
 */
export function migrateDatabase(
  database: OpenedDatabase,
  { BRIDGE_SCHEMA }: Environment,
  options: Pick<CoreOptions, 'actor'> = {},
): Promise<string[]> {
  const { db, jobs } = database;
  const context = auditedContext(db, options);
  const work = async () => {
    await assertSettings(db);
    const also = async () => {
      if (!(await areJobsPending(db, jobs.schema))) return [];
      await migrateJobs(jobs);
      return ['jobs'];
    };
    const entry = {
      agencyId: '',
      actor: actorOfContext(context),
      action: 'database.migrated',
      result: 'done',
    } as const;
    // After the last step: an earlier one may be the one that adds a column of the audit trail.
    const record = (guard: Database, names: readonly string[]) =>
      recordAudits(
        guard,
        context,
        names.map((subject) => ({ ...entry, subject })),
      );
    const done = await migrate(db, { schema: BRIDGE_SCHEMA, also, record });
    await storeShippedCatalogue(context);
    return done;
  };
  return usable(database, work, 'Run it with the role that owns the database and its tables');
}

/**
 * Stores the catalogue release of this version, if it is not stored yet. @throws CatalogueConflict
 */
export async function storeShippedCatalogue(context: AuditedContext): Promise<CatalogueContent> {
  const content = await loadShippedCatalogue();
  await storeCatalogue(context, content, { source: 'shipped' });
  return content;
}

function auditedContext(db: Database, { actor }: Pick<CoreOptions, 'actor'>): AuditedContext {
  return { db, clock: () => new Date(), ...(actor === undefined ? {} : { actor }) };
}

/** The names of the steps that {@link migrateDatabase} would run. */
export function findPendingMigrations(database: OpenedDatabase): Promise<string[]> {
  return usable(database, () => pendingOf(database));
}

async function pendingOf({ db, jobs }: OpenedDatabase): Promise<string[]> {
  return [...(await findPending(db)), ...((await areJobsPending(db, jobs.schema)) ? ['jobs'] : [])];
}

async function assertMigrated(database: OpenedDatabase, { BRIDGE_SCHEMA }: Environment): Promise<void> {
  await assertSettings(database.db);
  const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(database.db);
  const pending = await pendingOf(database);
  if (pending.length > 0) {
    const [first = '', ...others] = pending;
    const missing = others.length > 2 ? `${first} and ${others.length} more` : pending.join(', ');
    throw new Error(`its tables are not up to date (missing: ${missing}). Run "licensing-bridge migrate".`);
  }
  if (rows[0]?.schema !== BRIDGE_SCHEMA) {
    throw new Error(
      `its connections do not use the schema ${BRIDGE_SCHEMA} (BRIDGE_SCHEMA). See "PgBouncer" in docs/bridge/deploy.md.`,
    );
  }
}

/** @param ifForbidden What to do when the role lacks a right. */
async function usable<Value>(
  { isEmbedded }: OpenedDatabase,
  work: () => Promise<Value>,
  ifForbidden = 'Grant its role the rights',
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const name = isEmbedded ? 'The embedded database' : 'The database at DATABASE_URL';
    throw new Error(`${name} cannot be used: ${messageOf(error)}${adviceFor(error, ifForbidden)}`, { cause: error });
  }
}

/** The next step, where the message of PostgreSQL or the network does not contain one. */
function adviceFor(error: unknown, ifForbidden: string): string {
  if (/startup parameter/.test(messageOf(error)))
    return '. Set BRIDGE_CONNECTION_SETTINGS=false: see "PgBouncer" in docs/bridge/deploy.md.';
  if ((error as { code?: unknown }).code === '42501') return `. ${ifForbidden}: see "Roles" in docs/bridge/deploy.md.`;
  const outage = findOutage(error);
  return outage === undefined ? '' : `. ${outage.remedy}`;
}

function dataFolderOf({ BRIDGE_DATA_DIR }: Environment): string {
  return BRIDGE_DATA_DIR ?? findDataFolder(placesOf(process.env));
}

/**
 * With a wrong key, the bridge would reject every login and decrypt no SSN, and its new data could
 * not be read with the right key.
 */
function wrongKey({ source }: KeyProvider, mode: Mode): string {
  return [
    ...(mode === 'live'
      ? [
          `${source} is not the key that this database was used with.`,
          'Set BRIDGE_SECRET_KEY to that one, or BRIDGE_OLD_SECRET_KEYS, to change it.',
        ]
      : [
          `The key of test mode (${source}) is not the one that test mode of this database was used with.`,
          'Set BRIDGE_OLD_TEST_SECRET_KEYS to that one, to change it. It was BRIDGE_SECRET_KEY if test mode had no separate key.',
        ]),
    'If it is lost for good: "licensing-bridge keys re-encrypt --old-keys lost".',
  ].join(' ');
}

/** The system's message about the folder does not contain the variable that selects it. */
async function inDataFolder<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    const advice = 'Set BRIDGE_DATA_DIR to one that this account may write to.';
    throw new Error(`The data folder cannot be used (${error.message}). ${advice}`, { cause: error });
  }
}

/** A host with several IP addresses fails with one error for each, and an empty message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
