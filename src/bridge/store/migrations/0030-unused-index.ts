import { type Kysely } from 'kysely';
import { dropIndexConcurrently } from '../concurrent-index.js';

/**
 * An unfinished application is found by `application_unfinished_once`. The index before it holds only those that were started,
 * which no query asks for, and each step of a user wrote into it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await dropIndexConcurrently(db, 'application_unfinished');
}

export const isInTransaction = false;
