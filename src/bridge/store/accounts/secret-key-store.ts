import { sql } from 'kysely';
import type { Database } from '../tables/typed-database.js';

/** What a database knows of the keys that a bridge comes with. */
export interface KeyEntry {
  /** All ids, the newest key's first. */
  keyIds: readonly Buffer[];
  now: Date;
  /** Whether none of the keys need be one that was used here before. */
  areTrusted: boolean;
}

/** Enters the newest key. Resolves with `false`, and changes nothing, when the database knows other keys only. */
export async function enterSecretKeys(db: Database, { keyIds, now, areTrusted }: KeyEntry): Promise<boolean> {
  const [newest] = keyIds;
  if (newest === undefined) return false;
  return db.transaction().execute(async (trx) => {
    // Two first starts at once, each with a key of its own: the second is to find the first one's.
    await sql`lock table secret_key in share row exclusive mode`.execute(trx);
    const known = await trx.selectFrom('secret_key').select('key_id').execute();
    const isOurs = ({ key_id }: { key_id: Buffer }) => keyIds.some((id) => id.equals(key_id));
    if (!areTrusted && known.length > 0 && !known.some(isOurs)) return false;
    await trx
      .insertInto('secret_key')
      .values({ key_id: newest, first_used_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return true;
  });
}

/** Forgets all keys but the newest: with one of them alone, nothing could be read any more. */
export async function forgetOldKeys(db: Database, newestId: Buffer): Promise<void> {
  await db.deleteFrom('secret_key').where('key_id', '<>', newestId).execute();
}
