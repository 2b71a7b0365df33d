import type { Database } from '../tables/typed-database.js';

/** Deletes what ran out at these moments or before. */
export async function deleteExpired(
  db: Database,
  before: { tokens: Date; idempotencyKeys: Date; earlierSessions: Date; identityChecks: Date },
): Promise<void> {
  await db.deleteFrom('access_token').where('expires_at', '<=', before.tokens).execute();
  await db.deleteFrom('idempotency_key').where('created_at', '<=', before.idempotencyKeys).execute();
  await db.deleteFrom('earlier_session').where('expires_at', '<=', before.earlierSessions).execute();
  await db.deleteFrom('identity_check').where('expires_at', '<=', before.identityChecks).execute();
}
