import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { ApplicationRow } from '../tables/tables.js';
import type { EarlierSessionTable } from '../tables/session-tables.js';

/** What of an application belongs to its newest session. */
export type NewestSession = Pick<
  ApplicationRow,
  'session_id' | 'link_hash' | 'return_url' | 'webhook_url' | 'expires_at'
>;

/** A row of `earlier_session` as it is read. */
export type EarlierSessionRow = Selectable<EarlierSessionTable>;

/**
 * Gives an application another session. The one before keeps its link until its own end. The caller holds the application's row.
 * Resolves with the application as it is now.
 */
export function renewSession(
  trx: DatabaseTransaction,
  { id, session_id, link_hash, return_url, expires_at }: ApplicationRow,
  newest: NewestSession,
  now: Date,
): Promise<ApplicationRow> {
  return trx
    .with('earlier', (cte) =>
      cte.insertInto('earlier_session').values({ session_id, application_id: id, link_hash, return_url, expires_at }),
    )
    .updateTable('application')
    .set({ ...newest, renewed_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** An earlier session by the hash of its link. */
export function findEarlierSessionByLink(db: Database, linkHash: Buffer): Promise<EarlierSessionRow | undefined> {
  return db.selectFrom('earlier_session').selectAll().where('link_hash', '=', linkHash).executeTakeFirst();
}

/** An earlier session by its id. */
export function findEarlierSession(db: Database, sessionId: string): Promise<EarlierSessionRow | undefined> {
  return db.selectFrom('earlier_session').selectAll().where('session_id', '=', sessionId).executeTakeFirst();
}
