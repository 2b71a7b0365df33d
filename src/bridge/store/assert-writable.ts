import { sql } from 'kysely';
import type { Database } from './tables/typed-database.js';
import { inTransaction } from './transaction.js';

/** Rows that exceed the least `work_mem`, of 64 kB, several times. */
const spilledRows = 20_000;

/**
 * Resolves when the database can be written and has confirmed a commit. Takes about five
 * milliseconds, and leaves nothing in the tables. A `select 1` succeeds on a standby and on a full
 * disk. Does not resolve while the server waits for a lost standby of `synchronous_standby_names`;
 * no timeout of the server ends that.
 *
 * @throws Error of the server, such as when it is read-only or its disk is full.
 */
export async function assertWritable(db: Database): Promise<void> {
  await inTransaction(db, async (trx) => {
    // A read-only server refuses the statement, although there is nothing to delete.
    await sql`delete from kysely_migration where false`.execute(trx);
    // Rows that exceed the memory are written to a temporary file, which needs space on the disk.
    await sql`set local work_mem = '64kB'`.execute(trx);
    await sql`select count(*) from generate_series(1, ${sql.lit(spilledRows)})`.execute(trx);
    // Only a transaction that is in the write-ahead log waits at its commit for the disk and for
    // the standbys. Replication ignores the message.
    await sql`select pg_logical_emit_message(true, 'licensing-bridge', '')`.execute(trx);
  });
}
