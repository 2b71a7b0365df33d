import { sql } from 'kysely';
import type { WebhookEventType } from '../../contract/index.js';
import type { Database, DatabaseTransaction } from '../domain/context.js';

/** An event that was given up. */
export interface DeadLetterRow {
  id: string;
  type: WebhookEventType;
  application_id: string;
  created_at: Date;
  dead_at: Date | null;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
}

/** Events that were given up, the newest first. */
export async function findDeadLetters(db: Database, limit: number): Promise<DeadLetterRow[]> {
  const { rows } = await sql<DeadLetterRow>`
    select event.id, event.type, event.application_id, event.created_at, event.dead_at,
      count(attempt.id) as attempts,
      (array_agg(attempt.status order by attempt.id desc))[1] as last_status,
      (array_agg(attempt.error order by attempt.id desc))[1] as last_error
    from webhook_event event left join webhook_attempt attempt on attempt.event_id = event.id
    where event.dead_at is not null
    group by event.application_id, event.seq
    order by event.dead_at desc, event.seq desc
    limit ${limit}
  `.execute(db);
  return rows;
}

/** Puts an event that was given up back into its line, and its address back into use. `false`: there is no such event. */
export async function reviveDeadLetter(trx: DatabaseTransaction, eventId: string, now: Date): Promise<boolean> {
  const event = await trx
    .selectFrom('webhook_event')
    .innerJoin('webhook_stream', 'webhook_stream.application_id', 'webhook_event.application_id')
    .select(['webhook_event.application_id', 'webhook_stream.url'])
    .where('id', '=', eventId)
    .where('dead_at', 'is not', null)
    .forUpdate('webhook_stream')
    .executeTakeFirst();
  if (event === undefined) return false;
  await trx.updateTable('webhook_event').set({ dead_at: null }).where('id', '=', eventId).execute();
  await trx
    .updateTable('webhook_stream')
    .set({ due_at: now, attempts: 0 })
    .where('application_id', '=', event.application_id)
    .execute();
  await trx
    .updateTable('webhook_stream')
    .set({ gone_at: null })
    .where('url', '=', event.url)
    .where('gone_at', 'is not', null)
    .where('application_id', 'in', (eb) =>
      eb
        .selectFrom('application')
        .innerJoin('application as own', 'own.agency_id', 'application.agency_id')
        .select('application.id')
        .where('own.id', '=', event.application_id),
    )
    .execute();
  return true;
}
