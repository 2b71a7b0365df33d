/**
 * A store in PostgreSQL 15 or later, for several instances of a backend. Takes a pool of the package `pg`.
 *
 * ```ts
 * import { Pool } from 'pg';
 * import { postgresStore } from 'licensing-apply/server/postgres';
 *
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL });
 * pool.on('error', (error) => console.error(error.message)); // or a database that restarts ends your process
 * const store = postgresStore(pool);
 * await store.migrate(); // at the start of each instance, or once in your deployment
 * const licensing = createLicensingHandler({ ..., store });
 * ```
 *
 * Everything is in one schema, `licensing_apply`. Nothing is deleted by itself; deleting rows of `licensing_apply.applications`
 * takes along what belongs to them. One connection of the pool is kept for LISTEN as long as browsers follow their
 * applications.
 */
export type { PostgresConnection, PostgresPool } from './store/postgres/postgres-pool.js';
export type { PostgresStore, PostgresStoreOptions } from './store/postgres/postgres-store.js';
export { postgresStore } from './store/postgres/postgres-store.js';
