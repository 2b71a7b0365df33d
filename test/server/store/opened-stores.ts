import pg from 'pg';
import { createClient } from 'redis';
import type { LicensingStore } from '../../../src/server/store/licensing-store.js';
import { postgresStore } from '../../../src/server/postgres.js';
import { redisStore } from '../../../src/server/redis.js';

/** The location of a store that several processes can open. */
export type StoreLocation =
  | { kind: 'redis'; url: string; prefix: string }
  | { kind: 'postgres'; url: string; schema: string; connections?: number };

/** A store with its connections. */
export interface OpenedStore {
  store: LicensingStore;
  close(): Promise<void>;
}

/** Opens a store with separate connections. */
export async function openStore(location: StoreLocation): Promise<OpenedStore> {
  switch (location.kind) {
    case 'redis': {
      const client = createClient({ url: location.url });
      client.on('error', () => undefined);
      await client.connect();
      const store = redisStore(client, { prefix: location.prefix });
      return {
        store,
        close: async () => client.destroy(),
      };
    }
    case 'postgres': {
      const { url: connectionString, schema, connections: max = 2 } = location;
      const pool = new pg.Pool({ connectionString, max });
      // A server that ends, or a database that is dropped, breaks connections that are not in use.
      pool.on('error', () => undefined);
      const store = postgresStore(pool, { schema });
      await store.migrate();
      return {
        store,
        close: () => pool.end(),
      };
    }
  }
}
