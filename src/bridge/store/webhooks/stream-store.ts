import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { WebhookEventType } from '../../../contract/index.js';
import { ownedBy, type Owner } from '../owner.js';
import type { DatabaseTransaction } from '../tables/typed-database.js';

/** An event's stream: the application that it is about, whose that is, and where its events go. */
export interface AddressedEvent extends Owner {
  applicationId: string;
  url: string;
}

/** An event to write. */
export interface NewEvent extends AddressedEvent {
  id: string;
  type: WebhookEventType;
  data: object;
  /** What caused it. */
  requestId: string | undefined;
  /** The W3C trace context of that. */
  traceparent: string | undefined;
  now: Date;
}

/**
 * Appends an event to its application's stream, which follows the event's address with all that waits in it. For an address that
 * answered 410 it is dead-lettered at once. The caller holds the application's row, so that all who touch both take the
 * application before the stream.
 */
export async function appendEvent(trx: DatabaseTransaction, event: NewEvent): Promise<void> {
  const isGone = await isAddressGone(trx, event);
  const dueAt = isGone ? null : event.now;
  const { next_seq, due_at } = await trx
    .insertInto('webhook_stream')
    .values({
      application_id: event.applicationId,
      agency_id: event.agencyId,
      mode: event.mode,
      url: event.url,
      next_seq: 2,
      due_at: dueAt,
      lease_until: null,
      gone_at: null,
    })
    // The row's lock, held until the commit, makes the order of numbers the order of commits.
    .onConflict((conflict) =>
      conflict.column('application_id').doUpdateSet((eb) => {
        // The account's address has changed while nothing waited in this stream, or the session was renewed with another one: it
        // starts over there.
        const isElsewhere = eb('webhook_stream.url', '<>', eb.ref('excluded.url'));
        return {
          url: eb.ref('excluded.url'),
          next_seq: eb('webhook_stream.next_seq', '+', 1),
          attempts: eb.case().when(isElsewhere).then(0).else(eb.ref('webhook_stream.attempts')).end(),
          gone_at: eb.case().when(isElsewhere).then(null).else(eb.ref('webhook_stream.gone_at')).end(),
          due_at: eb
            .case()
            .when(isElsewhere)
            .then(eb.ref('excluded.due_at'))
            .when('webhook_stream.gone_at', 'is', null)
            .then(eb.fn.coalesce('webhook_stream.due_at', 'excluded.due_at'))
            .else(null)
            .end(),
        };
      }),
    )
    .returning(['next_seq', 'due_at'])
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('webhook_event')
    .values({
      application_id: event.applicationId,
      seq: next_seq - 1,
      id: event.id,
      type: event.type,
      data: JSON.stringify(event.data),
      request_id: event.requestId ?? null,
      traceparent: event.traceparent ?? null,
      created_at: event.now,
      delivered_at: null,
      dead_at: isGone || due_at === null ? event.now : null,
    })
    .execute();
  // What waited for the address before would wait for ever, and no list would show it.
  if (due_at === null) await killWaiting(trx, sql`select ${event.applicationId}::text`, event.now);
}

/** Whether an address answered 410 to the same agency's events of the same mode, in any of its applications. */
async function isAddressGone(trx: DatabaseTransaction, event: AddressedEvent): Promise<boolean> {
  const gone = await trx
    .selectFrom('webhook_stream')
    .select('application_id')
    .where('url', '=', event.url)
    .where('gone_at', 'is not', null)
    .where(ownedBy(event, 'webhook_stream'))
    .limit(1)
    .executeTakeFirst();
  return gone !== undefined;
}

/**
 * The streams at an event's address that there is something to do about: they wait, they know that it is gone, or it is the
 * event's own. An idle one needs no mark, the next event finds that of another. So as many are read as wait, however many there
 * are. Those of the same agency and mode only: another agency may have named the address by mistake, or to do harm, and what
 * happens in test mode changes nothing in live mode.
 */
export function isAtAddress(event: AddressedEvent): RawBuilder<SqlBool> {
  return sql<SqlBool>`(webhook_stream.url = ${event.url} and ${ownedBy(event, 'webhook_stream')}
    and (webhook_stream.due_at is not null or webhook_stream.gone_at is not null
      or webhook_stream.application_id = ${event.applicationId}))`;
}

/**
 * Locks the streams of {@link isAtAddress} and the event's own, which may go elsewhere by now, when the account's address has
 * changed.
 */
export function lockAddress(trx: DatabaseTransaction, event: AddressedEvent): Promise<void> {
  return lockStreams(trx, sql`(webhook_stream.application_id = ${event.applicationId} or ${isAtAddress(event)})`);
}

/** Gives up everything that waits for an address, because it answered 410. The caller holds {@link lockAddress}. */
export async function stopAddress(trx: DatabaseTransaction, event: AddressedEvent, now: Date): Promise<void> {
  await killWaiting(
    trx,
    sql`update webhook_stream set due_at = null, lease_until = null, attempts = 0, gone_at = ${now}
      where ${isAtAddress(event)} returning application_id`,
    now,
  );
}

/*
 * Streams that follow the account's address: those of applications whose session named none. The address stands in the stream
 * itself, and operation 2 moves the streams in which something waits; the others take the new address with their next event. The
 * caller holds the account's settings, so no such stream gets an event meanwhile.
 */

/**
 * Sends what waits for the account's address to another one, at once and with all its tries. An address that answered 410 is
 * used again: whoever sets it says that it works.
 */
export async function redirectAccountStreams(
  trx: DatabaseTransaction,
  owner: Owner,
  url: string,
  now: Date,
): Promise<void> {
  const isGoneThere = sql<SqlBool>`(webhook_stream.url = ${url} and webhook_stream.gone_at is not null)`;
  const isConcerned = sql<SqlBool>`${ownedBy(owner, 'webhook_stream')}
    and (${isGoneThere} or (webhook_stream.due_at is not null and ${followsAccount(owner)}))`;
  await lockStreams(trx, isConcerned);
  // A try under way keeps its lease, so that there is never a second one beside it.
  await sql`update webhook_stream
    set url = ${url}, gone_at = null,
      due_at = case when url = ${url} then due_at else ${now}::timestamptz end,
      attempts = case when url = ${url} then attempts else 0 end
    where ${isConcerned}`.execute(trx);
}

/** Gives up what waits for the account's address, because there is none any more. The operator can replay it. */
export async function stopAccountStreams(trx: DatabaseTransaction, owner: Owner, now: Date): Promise<void> {
  const isConcerned = sql<SqlBool>`${ownedBy(owner, 'webhook_stream')}
    and webhook_stream.due_at is not null and ${followsAccount(owner)}`;
  await lockStreams(trx, isConcerned);
  await killWaiting(
    trx,
    sql`update webhook_stream set due_at = null, attempts = 0 where ${isConcerned} returning application_id`,
    now,
  );
}

function followsAccount(owner: Owner): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select from application where application.id = webhook_stream.application_id
    and ${ownedBy(owner, 'application')} and application.webhook_url is null)`;
}

/** In one order for everybody: two who lock several at once must not wait for each other. */
async function lockStreams(trx: DatabaseTransaction, isConcerned: RawBuilder<SqlBool>): Promise<void> {
  await sql`select application_id from webhook_stream where ${isConcerned}
    order by application_id for no key update`.execute(trx);
}

/** Gives up what waits in streams. `applicationIds` selects or returns them. */
async function killWaiting(trx: DatabaseTransaction, applicationIds: RawBuilder<unknown>, now: Date): Promise<void> {
  await sql`with stopped (application_id) as (${applicationIds})
    update webhook_event set dead_at = ${now}
    where delivered_at is null and dead_at is null and application_id in (select application_id from stopped)`.execute(
    trx,
  );
}
