import { type Kysely } from 'kysely';
import { createIndexConcurrently } from '../concurrent-index.js';

/** An index that finds audit entries old enough to be deleted without reading the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexConcurrently(db, 'audit_entry_at', 'audit_entry (at)');
}

export const isInTransaction = false;
