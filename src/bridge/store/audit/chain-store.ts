import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { AuditEntryRow } from './audit-store.js';

/** A link of the chain of the audit trail: one for each entry. */
export interface AuditLink {
  /** From 1, without gaps; the retention removes the first ones. */
  position: number;
  entryId: number;
  /** The time of the entry, which the link outlives. */
  at: Date;
  /** SHA-256 of the entry. */
  entryHash: Buffer;
  /** SHA-256 of the previous link's hash and this entry's. */
  hash: Buffer;
}

/** A link with its entry; `undefined` when the entry is gone. */
export interface LinkedEntry extends AuditLink {
  entry: AuditEntryRow | undefined;
}

/** Any constant that is the same in every instance of a bridge. */
const chainLock = 4_108_152_020;

/** Whether this transaction is the one that adds links until it ends. Others try again later. */
export async function tryLockChain(trx: DatabaseTransaction): Promise<boolean> {
  const { rows } = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(chainLock)}) as is_ours`.execute(trx);
  return rows[0]?.isOurs === true;
}

/** The newest link; `undefined` for an empty chain. */
export async function findLastLink(db: Database): Promise<AuditLink | undefined> {
  const { rows } = await sql<AuditLink>`
    select position, entry_id, at, entry_hash, hash
    from audit_link order by position desc limit 1`.execute(db);
  return rows[0];
}

/** Takes the oldest entries that have no link from their queue. */
export async function takeUnlinked(trx: DatabaseTransaction, limit: number): Promise<AuditEntryRow[]> {
  const { rows } = await sql<{ entryId: number }>`
    delete from audit_unlinked where entry_id in (select entry_id from audit_unlinked order by entry_id limit ${limit})
    returning entry_id`.execute(trx);
  if (rows.length === 0) return [];
  const ids = rows.map(({ entryId }) => entryId);
  return trx.selectFrom('auditEntry').selectAll().where('id', 'in', ids).orderBy('id').execute();
}

/** Appends links. */
export async function insertLinks(trx: DatabaseTransaction, links: readonly AuditLink[]): Promise<void> {
  const column = <Value>(read: (link: AuditLink) => Value) => links.map(read);
  await sql`
    insert into audit_link (position, entry_id, at, entry_hash, hash)
    select * from unnest(
      ${column(({ position }) => position)}::bigint[], ${column(({ entryId }) => entryId)}::bigint[],
      ${column(({ at }) => at)}::timestamptz[], ${column(({ entryHash }) => entryHash)}::bytea[],
      ${column(({ hash }) => hash)}::bytea[]
    )`.execute(trx);
}

/** Reads links in their order with their entries, after a position. */
export async function findLinks(db: Database, after: number, limit: number): Promise<LinkedEntry[]> {
  const { rows: links } = await sql<AuditLink>`
    select position, entry_id, at, entry_hash, hash
    from audit_link where position > ${after} order by position limit ${limit}`.execute(db);
  if (links.length === 0) return [];
  const ids = links.map(({ entryId }) => entryId);
  const entries = await db.selectFrom('auditEntry').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return links.map((link) => ({ ...link, entry: byId.get(link.entryId) }));
}

/** The entries that wait for their link, and those that have neither a link nor a place in the queue. */
export async function countUnlinked(db: Database): Promise<{ waiting: number; outside: number }> {
  const { rows } = await sql<{ waiting: number; outside: number }>`
    select (select count(*) from audit_unlinked) as waiting, (
      select count(*) from audit_entry entry
      where not exists (select from audit_link where entry_id = entry.id)
        and not exists (select from audit_unlinked where entry_id = entry.id)
    ) as outside`.execute(db);
  return rows[0] ?? { waiting: 0, outside: 0 };
}
