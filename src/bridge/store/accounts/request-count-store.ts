import { sql } from 'kysely';
import type { Database } from '../tables/typed-database.js';

/** Requests of one token. */
export interface TokenCount {
  tokenHash: Buffer;
  count: number;
}

/** Adds requests to those of a minute. Resolves with what all instances have counted for these tokens. */
export async function addRequestCounts(
  db: Database,
  minute: Date,
  counts: readonly TokenCount[],
): Promise<TokenCount[]> {
  // In one order for everybody: two instances that add for the same tokens must not wait for each other.
  const rows = [...counts]
    .sort((left, right) => Buffer.compare(left.tokenHash, right.tokenHash))
    .map(({ tokenHash, count }) => ({ minute, token_hash: tokenHash, count }));
  const totals = await db
    .insertInto('request_count')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['minute', 'token_hash'])
        .doUpdateSet({ count: sql<number>`request_count.count + excluded.count` }),
    )
    .returning(['token_hash', 'count'])
    .execute();
  return totals.map(({ token_hash, count }) => ({ tokenHash: token_hash, count }));
}
