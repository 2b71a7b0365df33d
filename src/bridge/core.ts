import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Database } from './store/tables/typed-database.js';
import { createKeys, type Keys } from './domain/keys/keys.js';
import type { Environment } from './environment.js';
import { loadSecretKey } from './secret-key.js';
import { enterSecretKeys } from './store/accounts/secret-key-store.js';
import { openPool, type PoolUse } from './store/database.js';
import { openEmbedded } from './store/embedded/embedded.js';
import { migrate } from './store/migrate.js';

/** What the service and the operator's commands both stand on. */
export interface BridgeCore {
  db: Database;
  /** How many connections are in use now. */
  poolUse: () => PoolUse;
  /** Holds the password: never log it. */
  databaseUrl: string;
  keys: Keys;
  /** Ends the connections and, as the last user, the embedded server. A second call waits for the first. */
  close(): Promise<void>;
}

/**
 * Opens the database of the environment, the given one or the embedded one, with its tables up to date, and reads the key. With
 * `isKeyTrusted`, that may be one that the database has never seen.
 *
 * @throws Error that says which variable to change when one of them cannot be used.
 */
export async function openCore(environment: Environment, log: Logger, isKeyTrusted = false): Promise<BridgeCore> {
  const { DATABASE_URL, BRIDGE_DATA_DIR, BRIDGE_SECRET_KEY, BRIDGE_OLD_SECRET_KEYS } = environment;
  const keys = createKeys(
    BRIDGE_SECRET_KEY ?? (await inDataFolder(loadSecretKey(BRIDGE_DATA_DIR))),
    BRIDGE_OLD_SECRET_KEYS,
  );
  const embedded =
    DATABASE_URL === undefined ? await inDataFolder(openEmbedded({ folder: BRIDGE_DATA_DIR })) : undefined;
  const databaseUrl = DATABASE_URL ?? embedded?.url ?? '';
  const onError = (error: Error) => {
    log.warn({ err: error }, 'A connection to the database was lost.');
  };
  const { db, use: poolUse } = openPool(databaseUrl, { onError });
  let closed: Promise<void> | undefined;
  const close = async () => {
    await db.destroy();
    await embedded?.stop();
  };
  const core = { db, poolUse, databaseUrl, keys, close: () => (closed ??= close()) };
  try {
    await migrate(db);
  } catch (error) {
    await core.close();
    const name = embedded === undefined ? 'The database at DATABASE_URL' : 'The embedded database';
    throw new Error(`${name} cannot be used: ${messageOf(error)}`, { cause: error });
  }
  const entry = { keyIds: keys.ids, now: new Date(), areTrusted: isKeyTrusted };
  if (await enterSecretKeys(db, entry)) return core;
  await core.close();
  throw new Error(wrongKey(environment));
}

/** A bridge that went on would refuse every login and open no SSN, and what it made meanwhile the right key could not open. */
function wrongKey({ BRIDGE_SECRET_KEY, BRIDGE_DATA_DIR }: Environment): string {
  const key =
    BRIDGE_SECRET_KEY === undefined ? `The key in ${join(BRIDGE_DATA_DIR, 'secret-key')}` : 'BRIDGE_SECRET_KEY';
  return [
    `${key} is not the key that this database was used with.`,
    'Set BRIDGE_SECRET_KEY to that one, or BRIDGE_OLD_SECRET_KEYS, to change it.',
    'If it is lost for good: "licensing-bridge keys reseal --old-keys lost".',
  ].join(' ');
}

/** What the system says of a file it may not make does not name the variable by which the operator chose the folder. */
async function inDataFolder<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    const advice = 'Set BRIDGE_DATA_DIR to one that this account may write to.';
    throw new Error(`The data folder cannot be used (${error.message}). ${advice}`, { cause: error });
  }
}

/** A host with several addresses fails with one error for each, and a message of none. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
