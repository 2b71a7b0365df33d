import { type Kysely } from 'kysely';
import { createIndexConcurrently } from '../concurrent-index.js';

/** What is old enough to be deleted is found without reading what is not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, on] of Object.entries(indexes)) await createIndexConcurrently(db, name, on);
}

export const isInTransaction = false;

const indexes = {
  webhook_event_delivered: 'webhook_event (delivered_at) where delivered_at is not null',
  bulk_onboarding_completed: 'bulk_onboarding (completed_at) where completed_at is not null',
  registry_update_age: 'registry_update (updated_at, id)',
};
