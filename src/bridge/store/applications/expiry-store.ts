import type { Database } from '../tables/typed-database.js';

/** Deletes what ran out at these moments or before. */
export async function deleteExpired(
  db: Database,
  before: {
    tokens: Date;
    requestCounts: Date;
    loginFailures: Date;
    idempotencyKeys: Date;
    earlierSessions: Date;
    identityChecks: Date;
  },
): Promise<void> {
  await db.deleteFrom('access_token').where('expires_at', '<=', before.tokens).execute();
  await db.deleteFrom('request_count').where('minute', '<=', before.requestCounts).execute();
  await db.deleteFrom('login_failure').where('failed_at', '<=', before.loginFailures).execute();
  await db.deleteFrom('idempotency_key').where('created_at', '<=', before.idempotencyKeys).execute();
  await db.deleteFrom('earlier_session').where('expires_at', '<=', before.earlierSessions).execute();
  await db.deleteFrom('identity_check').where('expires_at', '<=', before.identityChecks).execute();
}
