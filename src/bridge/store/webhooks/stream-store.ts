import type { WebhookEventType } from '../../../contract/index.js';
import type { DatabaseTransaction } from '../tables/typed-database.js';
import type { Endpoint } from './endpoint-store.js';

/** The stream of an event, its owner and URL. */
export interface AddressedEvent extends Endpoint {
  /** The application's id; `agencyId:mode:npn` where it is that of a producer. */
  streamId: string;
}

/** Where the events of a stream go. */
export interface Destination extends AddressedEvent {
  /** Whether the session named no URL: the events follow the account's when it changes. */
  followsAccount: boolean;
}

/** An event of an application to write. */
export interface NewEvent extends Omit<Destination, 'streamId'> {
  applicationId: string;
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
 * event's URL. When that URL answered 410, the next claim dead-letters the event. The caller has
 * locked the application's row, so that all transactions lock the application before the stream.
 */
export async function appendEvent(trx: DatabaseTransaction, event: NewEvent): Promise<void> {
  const { nextSeq } = await trx
    .insertInto('webhookStream')
    .values({
      applicationId: event.applicationId,
      agencyId: event.agencyId,
      mode: event.mode,
      url: event.url,
      followsAccount: event.followsAccount,
      nextSeq: 2,
      dueAt: event.now,
      leaseUntil: null,
    })
    // The row's lock, held until the commit, makes the sequence numbers follow the order of
    // commits.
    .onConflict((conflict) =>
      conflict.column('streamId').doUpdateSet((eb) => {
        // The account's URL changed while nothing waited in this stream, or a later session named
        // another URL: the stream starts again there.
        const isElsewhere = eb('webhookStream.url', '<>', eb.ref('excluded.url'));
        const isDue = eb.fn.coalesce('webhookStream.dueAt', 'excluded.dueAt');
        return {
          url: eb.ref('excluded.url'),
          followsAccount: eb.ref('excluded.followsAccount'),
          nextSeq: eb('webhookStream.nextSeq', '+', 1),
          attempts: eb.case().when(isElsewhere).then(0).else(eb.ref('webhookStream.attempts')).end(),
          dueAt: eb.case().when(isElsewhere).then(eb.ref('excluded.dueAt')).else(isDue).end(),
        };
      }),
    )
    .returning('nextSeq')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('webhookEvent')
    .values({
      streamId: event.applicationId,
      seq: nextSeq - 1,
      id: event.id,
      type: event.type,
      data: JSON.stringify(event.data),
      requestId: event.requestId ?? null,
      traceparent: event.traceparent ?? null,
      createdAt: event.now,
      deliveredAt: null,
      deadAt: null,
    })
    .execute();
}
