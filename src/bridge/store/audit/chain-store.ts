import { type Selectable, sql } from 'kysely';
import type { AuditLinkTable } from '../tables/account-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { AuditEntryRow } from './audit-store.js';

/** A row of `audit_link` as it is read. */
export type AuditLink = Selectable<AuditLinkTable>;

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
export function findLastLink(db: Database): Promise<AuditLink | undefined> {
  return db.selectFrom('auditLink').selectAll().orderBy('position', 'desc').limit(1).executeTakeFirst();
}

/** Takes the oldest entries that have no link from their queue. */
export async function takeUnlinked(trx: DatabaseTransaction, limit: number): Promise<AuditEntryRow[]> {
  const taken = await trx
    .deleteFrom('auditUnlinked')
    .where('entryId', 'in', ({ selectFrom }) =>
      selectFrom('auditUnlinked').select('entryId').orderBy('entryId').limit(limit),
    )
    .returning('entryId')
    .execute();
  return findEntries(trx, taken);
}

/** Appends links. */
export async function insertLinks(trx: DatabaseTransaction, links: readonly AuditLink[]): Promise<void> {
  await trx.insertInto('auditLink').values(links).execute();
}

/** Reads links in their order with their entries, after a position. */
export async function findLinks(db: Database, after: number, limit: number): Promise<LinkedEntry[]> {
  const links = await db
    .selectFrom('auditLink')
    .selectAll()
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute();
  const byId = new Map((await findEntries(db, links)).map((entry) => [entry.id, entry]));
  return links.map((link) => ({ ...link, entry: byId.get(link.entryId) }));
}

async function findEntries(db: Database, links: readonly { entryId: number }[]): Promise<AuditEntryRow[]> {
  if (links.length === 0) return [];
  const ids = links.map(({ entryId }) => entryId);
  return db.selectFrom('auditEntry').selectAll().where('id', 'in', ids).orderBy('id').execute();
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
