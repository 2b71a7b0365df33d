import { sql } from 'kysely';
import type { DatabaseTransaction } from '../tables/typed-database.js';

/** Serializes logins of one bucket until the transaction ends, so that the eleventh of eleven at once is refused. */
export async function lockBucket(trx: DatabaseTransaction, bucket: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${bucket}, 0))`.execute(trx);
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

/** Notes a failed login in its bucket. */
export async function insertFailure(trx: DatabaseTransaction, bucket: string, now: Date): Promise<void> {
  await trx.insertInto('login_failure').values({ bucket, failed_at: now }).execute();
}
