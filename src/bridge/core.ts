import type { Logger } from 'pino';
import type { Database } from './domain/context.js';
import { createKeys, type Keys } from './domain/keys/keys.js';
import type { Environment } from './environment.js';
import { loadSecretKey } from './secret-key.js';
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

/** Opens the database of the environment, the given one or the embedded one, with its tables up to date, and reads the key. */
export async function openCore(environment: Environment, log: Logger): Promise<BridgeCore> {
  const { DATABASE_URL, BRIDGE_DATA_DIR, BRIDGE_SECRET_KEY, BRIDGE_OLD_SECRET_KEYS } = environment;
  const keys = createKeys(BRIDGE_SECRET_KEY ?? (await loadSecretKey(BRIDGE_DATA_DIR)), BRIDGE_OLD_SECRET_KEYS);
  const embedded = DATABASE_URL === undefined ? await openEmbedded({ folder: BRIDGE_DATA_DIR }) : undefined;
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
    throw error;
  }
  return core;
}
