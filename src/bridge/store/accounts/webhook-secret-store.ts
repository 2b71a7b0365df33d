import { ownedBy, type Owner } from '../owner.js';
import type { Database } from '../tables/typed-database.js';

/** Keeps the secret of an agency's webhooks in one mode, in place of an earlier one. */
export async function putWebhookSecret(db: Database, owner: Owner, sealed: string, now: Date): Promise<void> {
  const secret = { secret_sealed: sealed, created_at: now };
  await db
    .insertInto('webhook_secret')
    .values({ agency_id: owner.agencyId, mode: owner.mode, ...secret })
    .onConflict((conflict) => conflict.columns(['agency_id', 'mode']).doUpdateSet(secret))
    .execute();
}

/** Deletes the secret of an agency's webhooks in one mode. Resolves with whether there was one. */
export async function deleteWebhookSecret(db: Database, owner: Owner): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_secret')
    .where(ownedBy(owner, 'webhook_secret'))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
