import { type Kysely } from 'kysely';
import { createIndexConcurrently } from '../concurrent-index.js';

/** Indexes for the lists, filters and counts of the console. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexConcurrently(db, 'application_created', 'application (created_at desc, id desc)');
  await createIndexConcurrently(db, 'application_state_status', 'application_state (status, updated_at)');
  await createIndexConcurrently(
    db,
    'applicant_npn',
    "applicant ((profile ->> 'npn')) where profile ->> 'npn' is not null",
  );
  await createIndexConcurrently(db, 'payment_created', 'payment (created_at desc, id desc)');
  await createIndexConcurrently(db, 'audit_entry_subject', 'audit_entry (subject text_pattern_ops, id)');
}

export const isInTransaction = false;
