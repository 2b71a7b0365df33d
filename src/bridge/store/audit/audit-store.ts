import { sql, type Insertable, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import { agencyInScope, type Scope } from '../scope.js';
import type { AuditEntryTable } from '../tables/account-tables.js';
import type { Database } from '../tables/typed-database.js';

/** An entry of the audit trail as it is read. */
export type AuditEntryRow = Selectable<AuditEntryTable>;

/** Writes entries, in the transaction of the change that they record where there is one. */
export async function insertAuditEntries(db: Database, entries: readonly Insertable<AuditEntryTable>[]): Promise<void> {
  await db.insertInto('auditEntry').values(entries).execute();
}

/** Selects entries. Absent fields select all. */
export interface AuditWhere {
  /** Entries about no agency, such as those about operators, are in the scope `all` only. */
  scope: Scope;
  agencyId?: string | undefined;
  /** From this time on. */
  since?: Date | undefined;
  /** Until this time. */
  until?: Date | undefined;
  /** An actor, or all of a kind when it ends with a colon, such as `cli:`. */
  actor?: string | undefined;
  action?: string | undefined;
  /** An application with everything below it, or the exact id of another subject. */
  subject?: string | undefined;
  /** Only entries before this one: the start of the next page. */
  beforeId?: number | undefined;
  limit: number;
}

/** Reads entries, newest first. */
export function findAuditEntries(db: Database, where: AuditWhere): Promise<AuditEntryRow[]> {
  const { scope, agencyId, since, until, actor, action, subject, beforeId, limit } = where;
  let query = db.selectFrom('auditEntry').selectAll().where(agencyInScope(scope, 'auditEntry.agencyId'));
  if (agencyId !== undefined) query = query.where('agencyId', '=', agencyId);
  if (since !== undefined) query = query.where('at', '>=', since);
  if (until !== undefined) query = query.where('at', '<', until);
  if (actor?.endsWith(':')) query = query.where(sql<SqlBool>`starts_with(actor, ${actor})`);
  else if (actor !== undefined) query = query.where('actor', '=', actor);
  if (action !== undefined) query = query.where('action', '=', action);
  if (subject !== undefined) query = query.where(isAbout(subject));
  if (beforeId !== undefined) query = query.where('id', '<', beforeId);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** The id of the newest entry of these actions about exactly one subject. */
export async function findNewestEntryId(
  db: Database,
  { subject, actions }: { subject: string; actions: readonly string[] },
): Promise<number | undefined> {
  const entry = await db
    .selectFrom('auditEntry')
    .select('id')
    .where('subject', '=', subject)
    .where('action', 'in', actions)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return entry?.id;
}

/**
 * The largest number of live applications that one operator was shown by these actions since a
 * time. Subjects are applications or things below them.
 */
export async function countMostShown(
  db: Database,
  { actions, since }: { actions: readonly string[]; since: Date },
): Promise<number> {
  const most = await db
    .selectFrom('auditEntry')
    .select(sql<number>`count(distinct split_part(subject, '/', 1))::int`.as('applications'))
    .where('at', '>=', since)
    .where('action', 'in', actions)
    .where('mode', '=', 'live')
    .where(sql<SqlBool>`starts_with(actor, 'operator:')`)
    .groupBy('actor')
    .orderBy('applications', 'desc')
    .limit(1)
    .executeTakeFirst();
  return most?.applications ?? 0;
}

/** The newest entries about an application that was found for the operator, a state or a webhook of it. */
export function findEntriesOf(db: Database, applicationId: string, limit: number): Promise<AuditEntryRow[]> {
  return findAuditEntries(db, { scope: 'all', subject: applicationId, limit });
}

/** A range of the index on the subject, not `like`: ids hold its wildcards. "0" follows "/". */
function isAbout(subject: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(subject = ${subject} or (subject ~>=~ ${`${subject}/`} and subject ~<~ ${`${subject}0`}))`;
}
