import { type Kysely } from 'kysely';
import { createIndexConcurrently } from '../concurrent-index.js';

/** Audit entries that are old enough to be deleted are found without reading the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexConcurrently(db, 'audit_entry_at', 'audit_entry (at)');
}

export const isInTransaction = false;
