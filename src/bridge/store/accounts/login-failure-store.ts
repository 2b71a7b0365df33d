import { sql } from 'kysely';
import type { DatabaseTransaction } from '../tables/typed-database.js';

/** Makes logins of the same buckets come one after the other until the transaction ends: the eleventh of eleven at once is late. */
export async function lockBuckets(trx: DatabaseTransaction, buckets: string[]): Promise<void> {
  // In one order for everybody: two logins that share both buckets must not wait for each other.
  for (const bucket of [...buckets].sort()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${bucket}, 0))`.execute(trx);
  }
}

/** When the `count`th newest failure of a bucket happened, if it was after `since`. */
export async function findNthNewestFailure(
  trx: DatabaseTransaction,
  bucket: string,
  count: number,
  since: Date,
): Promise<Date | undefined> {
  const failure = await trx
    .selectFrom('login_failure')
    .select('failed_at')
    .where('bucket', '=', bucket)
    .where('failed_at', '>', since)
    .orderBy('failed_at', 'desc')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst();
  return failure?.failed_at;
}

/** Notes a failed login in each of its buckets. */
export async function insertFailures(trx: DatabaseTransaction, buckets: string[], now: Date): Promise<void> {
  await trx
    .insertInto('login_failure')
    .values(buckets.map((bucket) => ({ bucket, failed_at: now })))
    .execute();
}
