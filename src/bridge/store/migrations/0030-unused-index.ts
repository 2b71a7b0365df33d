import { type Kysely } from 'kysely';
import { dropIndexConcurrently } from '../concurrent-index.js';

/**
 * Drops the index that `application_unfinished_once` replaced: no query used it, and each step of a
 * user wrote to it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await dropIndexConcurrently(db, 'application_unfinished');
}

export const isInTransaction = false;
