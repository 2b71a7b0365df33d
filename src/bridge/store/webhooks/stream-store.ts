import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { WebhookEventType } from '../../../contract/index.js';
import { ownedBy, type Owner } from '../owner.js';
import type { DatabaseTransaction } from '../tables/typed-database.js';

/** The stream of an event: its application, owner and URL. */
export interface AddressedEvent extends Owner {
  applicationId: string;
  url: string;
}

/** An event to write. */
export interface NewEvent extends AddressedEvent {
  id: string;
  type: WebhookEventType;
  data: object;
  /** The id of the request, job or command that caused it. */
  requestId: string | undefined;
  /** Its W3C trace context. */
  traceparent: string | undefined;
  now: Date;
}

/**
 * Appends an event to its application's stream. The stream and all its waiting events move to the
 * event's URL. When that URL answered 410, the event is dead-lettered at once. The caller has
 * locked the application's row, so that all transactions lock the application before the stream.
 */
export async function appendEvent(trx: DatabaseTransaction, event: NewEvent): Promise<void> {
  const isGone = await isEndpointDisabled(trx, event);
  const { nextSeq, dueAt } = await trx
    .insertInto('webhookStream')
    .values({
      applicationId: event.applicationId,
      agencyId: event.agencyId,
      mode: event.mode,
      url: event.url,
      nextSeq: 2,
      dueAt: isGone ? null : event.now,
      leaseUntil: null,
      goneAt: null,
    })
    // The row's lock, held until the commit, makes the sequence numbers follow the order of
    // commits.
    .onConflict((conflict) =>
      conflict.column('applicationId').doUpdateSet((eb) => {
        // The account's URL changed while nothing waited in this stream, or a later session named
        // another URL: the stream starts again there.
        const isElsewhere = eb('webhookStream.url', '<>', eb.ref('excluded.url'));
        return {
          url: eb.ref('excluded.url'),
          nextSeq: eb('webhookStream.nextSeq', '+', 1),
          attempts: eb.case().when(isElsewhere).then(0).else(eb.ref('webhookStream.attempts')).end(),
          goneAt: eb.case().when(isElsewhere).then(null).else(eb.ref('webhookStream.goneAt')).end(),
          dueAt: eb
            .case()
            .when(isElsewhere)
            .then(eb.ref('excluded.dueAt'))
            .when('webhookStream.goneAt', 'is', null)
            .then(eb.fn.coalesce('webhookStream.dueAt', 'excluded.dueAt'))
            .else(null)
            .end(),
        };
      }),
    )
    .returning(['nextSeq', 'dueAt'])
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('webhookEvent')
    .values({
      applicationId: event.applicationId,
      seq: nextSeq - 1,
      id: event.id,
      type: event.type,
      data: JSON.stringify(event.data),
      requestId: event.requestId ?? null,
      traceparent: event.traceparent ?? null,
      createdAt: event.now,
      deliveredAt: null,
      deadAt: isGone || dueAt === null ? event.now : null,
    })
    .execute();
  // Otherwise events for the previous URL would wait for ever, and no list would show them.
  if (dueAt === null) await deadLetterWaiting(trx, sql`select ${event.applicationId}::text`, event.now);
}

/** Whether a URL answered 410 to events of the same agency and mode, in any application. */
async function isEndpointDisabled(trx: DatabaseTransaction, event: AddressedEvent): Promise<boolean> {
  const gone = await trx
    .selectFrom('webhookStream')
    .select('applicationId')
    .where('url', '=', event.url)
    .where('goneAt', 'is not', null)
    .where(ownedBy(event, 'webhookStream'))
    .limit(1)
    .executeTakeFirst();
  return gone !== undefined;
}

/**
 * Selects the streams with an event's URL that need a change: those with waiting events, those
 * where the endpoint is marked as disabled, and the event's own. Idle streams need no mark, because
 * their next event finds the mark of another stream; so the number of rows read depends only on the
 * waiting ones. Only streams of the same agency and mode: another agency may use the URL by mistake
 * or as an attack, and test mode must not affect live mode.
 */
export function isAtEndpoint(event: AddressedEvent): RawBuilder<SqlBool> {
  return sql<SqlBool>`(webhook_stream.url = ${event.url} and ${ownedBy(event, 'webhookStream')}
    and (webhook_stream.due_at is not null or webhook_stream.gone_at is not null
      or webhook_stream.application_id = ${event.applicationId}))`;
}

/**
 * Locks the streams of {@link isAtEndpoint} and the event's own stream, whose URL may have changed
 * with the account's.
 */
export function lockEndpoint(trx: DatabaseTransaction, event: AddressedEvent): Promise<void> {
  return lockStreams(trx, sql`(webhook_stream.application_id = ${event.applicationId} or ${isAtEndpoint(event)})`);
}

/**
 * Dead-letters everything that waits for a URL, because it answered 410. The caller has called
 * {@link lockEndpoint}.
 */
export async function disableEndpoint(trx: DatabaseTransaction, event: AddressedEvent, now: Date): Promise<void> {
  await deadLetterWaiting(
    trx,
    sql`update webhook_stream set due_at = null, lease_until = null, attempts = 0, gone_at = ${now}
      where ${isAtEndpoint(event)} returning application_id`,
    now,
  );
}

/*
 * Selects streams that use the account's URL: those of applications whose session named none. The
 * URL is stored in the stream, and updateAccount (operation 2) updates streams with waiting events;
 * the others take the new URL with their next event. The caller has locked the account's settings,
 * so no such stream receives an event meanwhile.
 */

/**
 * Moves waiting events from the account's URL to another one, due at once and with all tries. A URL
 * that answered 410 is enabled again, because setting it means that it works.
 */
export async function redirectAccountStreams(
  trx: DatabaseTransaction,
  owner: Owner,
  url: string,
  now: Date,
): Promise<void> {
  const isGoneThere = sql<SqlBool>`(webhook_stream.url = ${url} and webhook_stream.gone_at is not null)`;
  const isConcerned = sql<SqlBool>`${ownedBy(owner, 'webhookStream')}
    and (${isGoneThere} or (webhook_stream.due_at is not null and ${followsAccount(owner)}))`;
  await lockStreams(trx, isConcerned);
  // A try in progress keeps its lease, so that there is never a second one at the same time.
  await sql`update webhook_stream
    set url = ${url}, gone_at = null,
      due_at = case when url = ${url} then due_at else ${now}::timestamptz end,
      attempts = case when url = ${url} then attempts else 0 end
    where ${isConcerned}`.execute(trx);
}

/**
 * Dead-letters the events that wait for the account's URL, because it was removed. The operator can
 * replay them.
 */
export async function stopAccountStreams(trx: DatabaseTransaction, owner: Owner, now: Date): Promise<void> {
  const isConcerned = sql<SqlBool>`${ownedBy(owner, 'webhookStream')}
    and webhook_stream.due_at is not null and ${followsAccount(owner)}`;
  await lockStreams(trx, isConcerned);
  await deadLetterWaiting(
    trx,
    sql`update webhook_stream set due_at = null, attempts = 0 where ${isConcerned} returning application_id`,
    now,
  );
}

function followsAccount(owner: Owner): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select from application where application.id = webhook_stream.application_id
    and ${ownedBy(owner, 'application')} and application.webhook_url is null)`;
}

/** In a fixed order, so that two transactions that lock several streams cannot deadlock. */
async function lockStreams(trx: DatabaseTransaction, isConcerned: RawBuilder<SqlBool>): Promise<void> {
  await sql`select application_id from webhook_stream where ${isConcerned}
    order by application_id for no key update`.execute(trx);
}

/** Dead-letters the waiting events of streams. `applicationIds` selects or returns the streams. */
async function deadLetterWaiting(
  trx: DatabaseTransaction,
  applicationIds: RawBuilder<unknown>,
  now: Date,
): Promise<void> {
  await sql`with stopped (application_id) as (${applicationIds})
    update webhook_event set dead_at = ${now}
    where delivered_at is null and dead_at is null and application_id in (select application_id from stopped)`.execute(
    trx,
  );
}
