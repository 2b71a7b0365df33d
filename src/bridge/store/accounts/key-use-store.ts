import { sql, type SqlBool } from 'kysely';
import type { Mode } from '../../../contract/index.js';
import type { Database } from '../tables/typed-database.js';

/** How many secrets that somebody can still log in with are hashed with another key than the one of this id. */
export async function countOtherwiseHashed(db: Database, keyId: Buffer): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count
    from credential join agency on agency.id = credential.agency_id,
      lateral (values (live_secret_hash), (test_secret_hash)) as secret (hash)
    where credential.is_active and agency.deactivated_at is null
      and substring(secret.hash from 1 for ${keyId.length}::int) <> ${keyId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The link of a session, the newest of its application or an earlier one. */
export interface SessionLink {
  session_id: string;
  link_hash: Buffer;
}

/** The next sessions after the one of an id, in the order of their ids. */
export function findSessionLinks(
  db: Database,
  { after, limit }: { after: string; limit: number },
): Promise<SessionLink[]> {
  const newest = db.selectFrom('application').select(['session_id', 'link_hash']);
  const earlier = db.selectFrom('earlier_session').select(['session_id', 'link_hash']);
  return db
    .selectFrom(newest.unionAll(earlier).as('session'))
    .select(['session_id', 'link_hash'])
    .where('session_id', '>', after)
    .orderBy('session_id')
    .limit(limit)
    .execute();
}

/** A link that an Idempotency-Key asks for again. */
export interface RepeatableLink extends SessionLink {
  agency_id: string;
  mode: Mode;
  key: string;
  /** When the key was taken. */
  taken_at: Date;
}

/** The next links, after one of them, that Idempotency-Keys which were taken since may ask for again. */
export function findRepeatableLinks(
  db: Database,
  { since, after, limit }: { since: Date; after: RepeatableLink | undefined; limit: number },
): Promise<RepeatableLink[]> {
  return (
    db
      .selectFrom('idempotency_key')
      .innerJoin('application', 'application.id', 'idempotency_key.application_id')
      // Not the newest one, which an instance of the version before did not name.
      .leftJoin('earlier_session', 'earlier_session.session_id', 'idempotency_key.session_id')
      .select((eb) => [
        'idempotency_key.agency_id',
        'idempotency_key.mode',
        'idempotency_key.key',
        'idempotency_key.created_at as taken_at',
        eb.fn.coalesce('earlier_session.session_id', 'application.session_id').as('session_id'),
        eb.fn.coalesce('earlier_session.link_hash', 'application.link_hash').as('link_hash'),
      ])
      .where('idempotency_key.created_at', '>', since)
      .$if(after !== undefined, (query) =>
        query.where(
          sql<SqlBool>`(idempotency_key.agency_id, idempotency_key.mode, idempotency_key.key)
            > (${after?.agency_id}, ${after?.mode}, ${after?.key})`,
        ),
      )
      .orderBy('idempotency_key.agency_id')
      .orderBy('idempotency_key.mode')
      .orderBy('idempotency_key.key')
      .limit(limit)
      .execute()
  );
}

/** The link of an open request for action. */
export interface ActionLink {
  application_id: string;
  state: string;
  action_serial: number;
  action_hash: Buffer;
}

/** The open requests for action whose page is ours. */
export async function findActionLinks(db: Database): Promise<ActionLink[]> {
  const rows = await db
    .selectFrom('application_state')
    .select(['application_id', 'state', 'action_serial', 'action_hash'])
    .where('action_hash', 'is not', null)
    .where('action_url_override', 'is', null)
    .execute();
  return rows.flatMap((row) => (row.action_hash === null ? [] : [{ ...row, action_hash: row.action_hash }]));
}

/** Gives a session another link, unless it has got one meanwhile. Resolves with whether it did. */
export async function replaceSessionLink(
  db: Database,
  { session_id, link_hash }: SessionLink,
  to: Buffer,
): Promise<boolean> {
  const newest = await db
    .updateTable('application')
    .set({ link_hash: to })
    .where('session_id', '=', session_id)
    .where('link_hash', '=', link_hash)
    .executeTakeFirst();
  if (newest.numUpdatedRows > 0n) return true;
  // In this order: a session that is renewed meanwhile goes from the first table to the second.
  const earlier = await db
    .updateTable('earlier_session')
    .set({ link_hash: to })
    .where('session_id', '=', session_id)
    .where('link_hash', '=', link_hash)
    .executeTakeFirst();
  return earlier.numUpdatedRows > 0n;
}

/** Gives a request for action another link, unless it was answered meanwhile. Resolves with whether it did. */
export async function replaceActionLink(db: Database, { action_hash }: ActionLink, to: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('application_state')
    .set({ action_hash: to })
    .where('action_hash', '=', action_hash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
