import { sql } from 'kysely';
import type { Session } from '../../../contract/index.js';
import type { DatabaseTransaction } from '../tables/typed-database.js';
import { ownedBy, type Owner } from '../owner.js';

/** What an Idempotency-Key stands for. */
export interface KeptRequest {
  key: string;
  bodyHash: Buffer;
  applicationId: string;
  /** Null for the newest session of the application. */
  sessionId: string | null;
  prefilled: Session['prefilled'];
}

/**
 * Takes a key for a request, unless it was taken after `validSince`. Of several calls at once one gets it and the others wait
 * for its commit. Resolves with what the key stands for now: the caller's own request, or the first one's.
 */
export async function takeIdempotencyKey(
  trx: DatabaseTransaction,
  owner: Owner,
  request: KeptRequest,
  now: Date,
  validSince: Date,
): Promise<KeptRequest> {
  const taken = await trx
    .insertInto('idempotency_key')
    .values({
      agency_id: owner.agencyId,
      mode: owner.mode,
      key: request.key,
      body_hash: request.bodyHash,
      application_id: request.applicationId,
      session_id: request.sessionId,
      prefilled: JSON.stringify(request.prefilled),
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['agency_id', 'mode', 'key'])
        .doUpdateSet((eb) => ({
          body_hash: eb.ref('excluded.body_hash'),
          application_id: eb.ref('excluded.application_id'),
          session_id: eb.ref('excluded.session_id'),
          prefilled: sql<string>`excluded.prefilled`,
          created_at: eb.ref('excluded.created_at'),
        }))
        .where('idempotency_key.created_at', '<=', validSince),
    )
    .returning('application_id')
    .executeTakeFirst();
  if (taken !== undefined) return request;
  const first = await trx
    .selectFrom('idempotency_key')
    .selectAll()
    .where(ownedBy(owner, 'idempotency_key'))
    .where('key', '=', request.key)
    .executeTakeFirstOrThrow();
  const { key, body_hash, application_id, session_id, prefilled } = first;
  return { key, bodyHash: body_hash, applicationId: application_id, sessionId: session_id, prefilled };
}

/** Notes what became of the request that took a key. */
export async function settleIdempotencyKey(
  trx: DatabaseTransaction,
  owner: Owner,
  request: Pick<KeptRequest, 'key' | 'applicationId' | 'prefilled'>,
): Promise<void> {
  await trx
    .updateTable('idempotency_key')
    .set({ application_id: request.applicationId, prefilled: JSON.stringify(request.prefilled) })
    .where(ownedBy(owner, 'idempotency_key'))
    .where('key', '=', request.key)
    .execute();
}
