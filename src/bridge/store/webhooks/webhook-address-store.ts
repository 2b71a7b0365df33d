import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { DatabaseTransaction } from '../tables/typed-database.js';

/** An event and where it goes. */
export interface AddressedEvent {
  applicationId: string;
  url: string;
}

/** Whether an address answered 410 to the same agency's events of the same mode, in any of its applications. */
export async function isAddressGone(trx: DatabaseTransaction, applicationId: string, url: string): Promise<boolean> {
  // Hardly any address is gone: `materialized` has the planner look there first, also while it has no statistics.
  const gone = await trx
    .with(
      (cte) => cte('gone').materialized(),
      (db) =>
        db
          .selectFrom('webhook_stream')
          .select('webhook_stream.application_id')
          .where('webhook_stream.url', '=', url)
          .where('webhook_stream.gone_at', 'is not', null),
    )
    .selectFrom('gone')
    .select('gone.application_id')
    .where(isOfSameOwner(applicationId, 'gone'))
    .limit(1)
    .executeTakeFirst();
  return gone !== undefined;
}

/**
 * Locks the lines at an address that {@link isConcerned} names and the event's own, in one order for everybody: two of them may
 * learn at once that it is gone. The own line may go elsewhere by now, when the account's address has changed.
 */
export async function lockAddress(trx: DatabaseTransaction, event: AddressedEvent): Promise<void> {
  await trx
    .selectFrom('webhook_stream')
    .select('application_id')
    .where((eb) => eb.or([eb('application_id', '=', event.applicationId), isConcerned(event)]))
    .orderBy('application_id')
    .forNoKeyUpdate()
    .execute();
}

/** Parks everything that waits for an address, in all applications of the agency in the same mode. */
export async function stopAddress(trx: DatabaseTransaction, event: AddressedEvent, now: Date): Promise<void> {
  await trx
    .with('stopped', (db) =>
      db
        .updateTable('webhook_stream')
        .set({ due_at: null, lease_until: null, attempts: 0, gone_at: now })
        .where(isConcerned(event))
        .returning('application_id'),
    )
    .updateTable('webhook_event')
    .set({ dead_at: now })
    .where('delivered_at', 'is', null)
    .where('dead_at', 'is', null)
    .where('application_id', 'in', (eb) => eb.selectFrom('stopped').select('stopped.application_id'))
    .execute();
}

/**
 * The lines at an event's address, of the same agency and mode, that there is something to do about: they wait, they know that it
 * is gone, or it is the event's own. An idle line needs no mark, {@link isAddressGone} finds that of another. So as many are read
 * as wait, however many there are.
 */
export function isConcerned({ applicationId, url }: AddressedEvent): RawBuilder<SqlBool> {
  return sql<SqlBool>`(webhook_stream.url = ${url}
    and (webhook_stream.due_at is not null or webhook_stream.gone_at is not null
      or webhook_stream.application_id = ${applicationId})
    and ${isOfSameOwner(applicationId, 'webhook_stream')})`;
}

/**
 * Whether a line's application is of an application's agency and mode: an address that is gone is gone for one agency. Another one
 * may have named it by mistake, or to do harm; and what happens in test mode changes nothing in live mode.
 */
function isOfSameOwner(applicationId: string, line: 'webhook_stream' | 'gone'): RawBuilder<SqlBool> {
  // An agency has any number of applications: `offset` keeps the planner from looking through them instead of looking up one.
  return sql<SqlBool>`exists (
    select from application own join application same on same.agency_id = own.agency_id and same.mode = own.mode
    where own.id = ${applicationId} and same.id = ${sql.ref(`${line}.application_id`)} offset 0)`;
}
