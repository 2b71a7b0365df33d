import { sql } from 'kysely';
import type { WebhookEventType } from '../../contract/index.js';
import type { Database, DatabaseTransaction } from '../domain/context.js';
import { applicationsOfSameAgency } from './webhook-address-store.js';

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
    .forNoKeyUpdate('webhook_stream')
    .executeTakeFirst();
  if (event === undefined) return false;
  await trx.updateTable('webhook_event').set({ dead_at: null }).where('id', '=', eventId).execute();
  // One update for the line and its siblings at the address: see settleEvent for why never two.
  await trx
    .updateTable('webhook_stream')
    .set((eb) => {
      const isOwn = eb('application_id', '=', event.application_id);
      return {
        gone_at: null,
        due_at: eb.case().when(isOwn).then(now).else(eb.ref('due_at')).end(),
        attempts: eb.case().when(isOwn).then(0).else(eb.ref('attempts')).end(),
      };
    })
    .where('url', '=', event.url)
    .where((eb) => eb.or([eb('application_id', '=', event.application_id), eb('gone_at', 'is not', null)]))
    .where('application_id', 'in', applicationsOfSameAgency(trx, event.application_id))
    .execute();
  return true;
}
