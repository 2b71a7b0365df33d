import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { WebhookEventType } from '../../../contract/index.js';
import type { Owner } from '../owner.js';
import { agencyInScope, type Scope } from '../scope.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import { enableEndpoint, useIndexesOnly } from './endpoint-store.js';
import type { Destination } from './stream-store.js';

/** A dead-lettered event. */
export interface DeadLetterRow {
  id: string;
  type: WebhookEventType;
  /** Null for an event of a producer. */
  applicationId: string | null;
  /** Null for an event of an application. */
  npn: number | null;
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
    .where(streamInScope(scope, 'webhookEvent.streamId'))
    .executeTakeFirstOrThrow();
  return count;
}

/*
 * The condition that an event is dead-lettered, for queries that name it by a key. From `dead_at is
 * not null`, the planner could use the index on `dead_at`, and read the dead letters of all agencies.
 */
const isDeadLettered = sql<SqlBool>`coalesce(dead_at, 'infinity') < 'infinity'`;

/** A dead-lettered event in its stream. */
export type DeadEvent = Pick<DeadLetterRow, 'id'> & { seq: number };

/** Reads the first of an application's dead-lettered events after a sequence number, in order. */
export async function findDeadLettersOf(
  trx: DatabaseTransaction,
  applicationId: string,
  afterSeq: number,
  limit: number,
): Promise<DeadEvent[]> {
  await useIndexesOnly(trx);
  return trx
    .selectFrom('webhookEvent')
    .select(['id', 'seq'])
    .where('streamId', '=', applicationId)
    .where('seq', '>', afterSeq)
    .where(isDeadLettered)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** Reads dead-lettered events, newest first. */
export async function findDeadLetters(db: Database, scope: Scope, limit: number): Promise<DeadLetterRow[]> {
  const { rows } = await sql<DeadLetterRow>`
    select event.id, event.type, stream.application_id, stream.npn, event.created_at, event.dead_at,
      count(attempt.id) as attempts,
      (array_agg(attempt.status order by attempt.id desc))[1] as last_status,
      (array_agg(attempt.error order by attempt.id desc))[1] as last_error
    from webhook_event event join webhook_stream stream on stream.stream_id = event.stream_id
      left join webhook_attempt attempt on attempt.event_id = event.id
    where event.dead_at is not null and ${agencyInScope(scope, 'stream.agencyId')}
    group by event.stream_id, event.seq, stream.stream_id
    order by event.dead_at desc, event.seq desc
    limit ${limit}
  `.execute(db);
  return rows;
}

/** The stream of a dead-lettered event. */
export interface DeadEventStream extends Owner {
  streamId: string;
  /** The webhook URL of the application's newest session; null where it has none, and for a producer. */
  sessionUrl: string | null;
}

/** Finds the stream of a dead-lettered event; `undefined` when there is no such event in the scope. */
export function findDeadEventStream(
  trx: DatabaseTransaction,
  scope: Scope,
  eventId: string,
): Promise<DeadEventStream | undefined> {
  return trx
    .selectFrom('webhookStream as stream')
    .select((eb) => [
      'stream.streamId',
      'stream.agencyId',
      'stream.mode',
      eb
        .selectFrom('application')
        .select('webhookUrl')
        .whereRef('application.id', '=', 'stream.applicationId')
        .as('sessionUrl'),
    ])
    .where('stream.streamId', '=', (eb) =>
      eb.selectFrom('webhookEvent').select('streamId').where('id', '=', eventId).where(isDeadLettered),
    )
    .where(agencyInScope(scope, 'stream.agencyId'))
    .executeTakeFirst();
}

/** The condition that the stream of a column is one of an agency in a scope. */
function streamInScope(scope: Scope, column: `${string}.streamId`): RawBuilder<SqlBool> {
  if (scope === 'all') return sql<SqlBool>`true`;
  return sql<SqlBool>`exists (select from webhook_stream owned
    where owned.stream_id = ${sql.ref(column)} and ${agencyInScope(scope, 'owned.agencyId')})`;
}

/**
 * Returns dead-lettered events to their stream, and enables the URL again. Resolves
 * with the ids of the events that were still dead-lettered, in the given order.
 */
export async function requeueDeadLetters(
  trx: DatabaseTransaction,
  eventIds: readonly string[],
  destination: Destination,
  now: Date,
): Promise<string[]> {
  const { streamId, url, followsAccount } = destination;
  // Before the lock of the stream, as everywhere.
  await enableEndpoint(trx, destination);
  await useIndexesOnly(trx);
  const ofStream = sql<SqlBool>`stream_id = ${streamId}`;
  await trx.selectFrom('webhookStream').select('fence').where(ofStream).forNoKeyUpdate().execute();
  const revived = await trx
    .updateTable('webhookEvent')
    .set({ deadAt: null })
    .where('id', 'in', eventIds)
    .where(isDeadLettered)
    .returning('id')
    .execute();
  if (revived.length === 0) return [];
  await trx
    .updateTable('webhookStream')
    .set({ url, followsAccount, dueAt: now, attempts: 0 })
    .where(ofStream)
    .execute();
  const revivedIds = new Set(revived.map(({ id }) => id));
  return eventIds.filter((id) => revivedIds.has(id));
}

/** The open work of all instances together. */
export interface Backlog {
  /** When the longest due webhook became due; null when none is due. */
  oldestDueAt: Date | null;
  /** The number of applications and producers with a due webhook. */
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
