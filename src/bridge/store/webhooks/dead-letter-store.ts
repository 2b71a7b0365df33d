import { sql, type SqlBool } from 'kysely';
import type { WebhookEventType } from '../../../contract/index.js';
import { agencyInScope, applicationInScope, type Scope } from '../scope.js';
import type { ApplicationRow } from '../tables/tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import { enableEndpoint } from './endpoint-store.js';
import type { Destination } from './stream-store.js';

/** A dead-lettered event. */
export interface DeadLetterRow {
  id: string;
  type: WebhookEventType;
  applicationId: string;
  createdAt: Date;
  deadAt: Date | null;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
}

/** Counts the dead-lettered events of a scope. */
export async function countDeadLetters(db: Database, scope: Scope): Promise<number> {
  const { count } = await db
    .selectFrom('webhookEvent')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('deadAt', 'is not', null)
    .where(applicationInScope(scope, 'webhookEvent.applicationId'))
    .executeTakeFirstOrThrow();
  return count;
}

/** A dead-lettered event in its stream. */
export type DeadEvent = Pick<DeadLetterRow, 'id'> & { seq: number };

/** Reads the first of an application's dead-lettered events after a sequence number, in order. */
export function findDeadLettersOf(
  trx: DatabaseTransaction,
  applicationId: string,
  afterSeq: number,
  limit: number,
): Promise<DeadEvent[]> {
  return trx
    .selectFrom('webhookEvent')
    .select(['id', 'seq'])
    .where('applicationId', '=', applicationId)
    .where('seq', '>', afterSeq)
    .where('deadAt', 'is not', null)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** Reads dead-lettered events, newest first. */
export async function findDeadLetters(db: Database, scope: Scope, limit: number): Promise<DeadLetterRow[]> {
  const { rows } = await sql<DeadLetterRow>`
    select event.id, event.type, event.application_id, event.created_at, event.dead_at,
      count(attempt.id) as attempts,
      (array_agg(attempt.status order by attempt.id desc))[1] as last_status,
      (array_agg(attempt.error order by attempt.id desc))[1] as last_error
    from webhook_event event left join webhook_attempt attempt on attempt.event_id = event.id
    where event.dead_at is not null and ${applicationInScope(scope, 'event.applicationId')}
    group by event.application_id, event.seq
    order by event.dead_at desc, event.seq desc
    limit ${limit}
  `.execute(db);
  return rows;
}

/** The application of a dead-lettered event. */
export type DeadEventApplication = Pick<ApplicationRow, 'id' | 'agencyId' | 'mode' | 'webhookUrl'>;

/** Finds the application of a dead-lettered event; `undefined` when there is no such event in the scope. */
export function findDeadEventApplication(
  trx: DatabaseTransaction,
  scope: Scope,
  eventId: string,
): Promise<DeadEventApplication | undefined> {
  return trx
    .selectFrom('webhookEvent')
    .innerJoin('application', 'application.id', 'webhookEvent.applicationId')
    .select(['application.id', 'application.agencyId', 'application.mode', 'application.webhookUrl'])
    .where('webhookEvent.id', '=', eventId)
    .where('deadAt', 'is not', null)
    .where(agencyInScope(scope, 'application.agencyId'))
    .executeTakeFirst();
}

/**
 * Returns dead-lettered events of an application to its stream, and enables the URL again. Resolves
 * with the ids of the events that were still dead-lettered.
 */
export async function requeueDeadLetters(
  trx: DatabaseTransaction,
  eventIds: readonly string[],
  destination: Destination,
  now: Date,
): Promise<string[]> {
  const { applicationId, url, followsAccount } = destination;
  // Before the lock of the stream, as everywhere.
  await enableEndpoint(trx, destination);
  const ofStream = sql<SqlBool>`application_id = ${applicationId}`;
  await trx.selectFrom('webhookStream').select('fence').where(ofStream).forNoKeyUpdate().execute();
  const revived = await trx
    .updateTable('webhookEvent')
    .set({ deadAt: null })
    .where('id', 'in', eventIds)
    .where('deadAt', 'is not', null)
    .returning('id')
    .execute();
  if (revived.length === 0) return [];
  await trx
    .updateTable('webhookStream')
    .set({ url, followsAccount, dueAt: now, attempts: 0 })
    .where(ofStream)
    .execute();
  return revived.map(({ id }) => id);
}

/** The open work of all instances together. */
export interface Backlog {
  /** When the longest due webhook became due; null when none is due. */
  oldestDueAt: Date | null;
  /** The number of applications with a due webhook. */
  dueStreams: number;
  /** Webhooks that are neither delivered nor dead-lettered. */
  waitingEvents: number;
  /** Dead-lettered webhooks. */
  deadEvents: number;
  /** Unfinished NPNs of bulk onboardings, including held ones. */
  openItems: number;
  /** Held NPNs: those of a deactivated agency. */
  heldItems: number;
  /** NPNs of all bulk onboardings. */
  allItems: number;
}

/**
 * Reads the backlog. Each number comes from an index of open rows, or from a table with one row per
 * request.
 */
export async function findBacklog(db: Database, now: Date): Promise<Backlog> {
  // Without the streams of deactivated agencies: they are held until the operator activates the
  // agency, which is not a delay.
  const isDue = sql`due_at <= ${now} and agency_id <> all(array(select id from agency where deactivated_at is not null))`;
  const { rows } = await sql<Backlog>`select
    (select min(due_at) from webhook_stream where ${isDue}) as oldest_due_at,
    (select count(*) from webhook_stream where ${isDue}) as due_streams,
    (select count(*) from webhook_event where delivered_at is null and dead_at is null) as waiting_events,
    (select count(*) from webhook_event where dead_at is not null) as dead_events,
    (select coalesce(sum(cardinality(npns)), 0)::int8 from bulk_batch where outcomes is null) as open_items,
    (select coalesce(sum(cardinality(npns)), 0)::int8 from bulk_batch
      join bulk_onboarding bulk on bulk.id = bulk_id and completed_at is null
      join agency on agency.id = agency_id and deactivated_at is not null where outcomes is null) as held_items,
    (select coalesce(sum(total_count), 0)::int8 from bulk_onboarding) as all_items`.execute(db);
  const [backlog] = rows;
  if (backlog === undefined) throw new Error('The backlog has no row.');
  return backlog;
}
