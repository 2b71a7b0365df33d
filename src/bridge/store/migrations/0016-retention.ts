import { type Kysely } from 'kysely';
import { createIndexConcurrently } from '../concurrent-index.js';

/** Indexes that find the rows old enough to be deleted without reading the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, on] of Object.entries(indexes)) await createIndexConcurrently(db, name, on);
}

export const isInTransaction = false;

const indexes = {
  webhook_event_delivered: 'webhook_event (delivered_at) where delivered_at is not null',
  bulk_onboarding_completed: 'bulk_onboarding (completed_at) where completed_at is not null',
  registry_update_age: 'registry_update (updated_at, id)',
};
