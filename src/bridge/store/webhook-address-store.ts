import type { DatabaseTransaction } from '../domain/context.js';

/** An event and where it goes. */
export interface AddressedEvent {
  applicationId: string;
  url: string;
}

/** Whether an address answered 410 to the same agency's events of the same mode, in any of its applications. */
export async function isAddressGone(trx: DatabaseTransaction, applicationId: string, url: string): Promise<boolean> {
  // Hardly any address is gone, and an agency has any number of applications: `materialized` and `offset` keep the planner from
  // looking through the applications first, which it does while it has no statistics.
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
    .where(({ exists, ref }) =>
      exists(applicationsOfSameOwner(trx, applicationId).where('same.id', '=', ref('gone.application_id')).offset(0)),
    )
    .limit(1)
    .executeTakeFirst();
  return gone !== undefined;
}

/**
 * Locks all lines to an address and the event's own, in one order for everybody: two of them may learn at once that it is gone.
 * The own line may go elsewhere by now, when the account's address has changed.
 */
export async function lockAddress(trx: DatabaseTransaction, event: AddressedEvent): Promise<void> {
  await trx
    .selectFrom('webhook_stream')
    .select('application_id')
    .where((eb) => eb.or([eb('url', '=', event.url), eb('application_id', '=', event.applicationId)]))
    .where('application_id', 'in', applicationsOfSameOwner(trx, event.applicationId))
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
        .where('url', '=', event.url)
        .where('application_id', 'in', applicationsOfSameOwner(trx, event.applicationId))
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
 * The ids of all applications of an application's agency in its mode: an address that is gone is gone for one agency. Another
 * one may have named it by mistake, or to do harm; and what happens in test mode changes nothing in live mode.
 */
export function applicationsOfSameOwner(trx: DatabaseTransaction, applicationId: string) {
  return trx
    .selectFrom('application as same')
    .innerJoin('application as own', (join) =>
      join.onRef('own.agency_id', '=', 'same.agency_id').onRef('own.mode', '=', 'same.mode'),
    )
    .select('same.id')
    .where('own.id', '=', applicationId);
}
