import type { Insertable, Selectable } from 'kysely';
import type { AuditEntryTable } from '../tables/account-tables.js';
import type { Database } from '../tables/typed-database.js';

/** An entry of the audit trail as it is read. */
export type AuditEntryRow = Selectable<AuditEntryTable>;

/** Writes an entry, in the transaction of what it records where there is one. */
export async function insertAuditEntry(db: Database, entry: Insertable<AuditEntryTable>): Promise<void> {
  await db.insertInto('audit_entry').values(entry).execute();
}

/** The newest entries, the newest first, of one agency or all, from a time on. */
export function findAuditEntries(
  db: Database,
  { agencyId, since, limit }: { agencyId?: string | undefined; since?: Date | undefined; limit: number },
): Promise<AuditEntryRow[]> {
  return db
    .selectFrom('audit_entry')
    .selectAll()
    .$if(agencyId !== undefined, (query) => query.where('agency_id', '=', agencyId ?? ''))
    .$if(since !== undefined, (query) => query.where('at', '>=', since ?? new Date(0)))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
