import type { DatabaseTransaction } from '../domain/context.js';

/** An event and where it goes. */
export interface AddressedEvent {
  applicationId: string;
  url: string;
}

/** Whether an address answered 410 to the same agency's events, in any of its applications. */
export async function isAddressGone(trx: DatabaseTransaction, applicationId: string, url: string): Promise<boolean> {
  const gone = await trx
    .selectFrom('webhook_stream')
    .select('webhook_stream.application_id')
    .where('webhook_stream.url', '=', url)
    .where('webhook_stream.gone_at', 'is not', null)
    .where('webhook_stream.application_id', 'in', applicationsOfSameAgency(trx, applicationId))
    .limit(1)
    .executeTakeFirst();
  return gone !== undefined;
}

/** Locks all lines to an address, in one order for everybody: two of them may learn at once that it is gone. */
export async function lockAddress(trx: DatabaseTransaction, event: AddressedEvent): Promise<void> {
  await trx
    .selectFrom('webhook_stream')
    .select('application_id')
    .where('url', '=', event.url)
    .where('application_id', 'in', applicationsOfSameAgency(trx, event.applicationId))
    .orderBy('application_id')
    .forNoKeyUpdate()
    .execute();
}

/** Parks everything that waits for an address, in all applications of the agency. */
export async function stopAddress(trx: DatabaseTransaction, event: AddressedEvent, now: Date): Promise<void> {
  const stopped = await trx
    .updateTable('webhook_stream')
    .set({ due_at: null, lease_until: null, attempts: 0, gone_at: now })
    .where('url', '=', event.url)
    .where('application_id', 'in', applicationsOfSameAgency(trx, event.applicationId))
    .returning('application_id')
    .execute();
  await trx
    .updateTable('webhook_event')
    .set({ dead_at: now })
    .where('delivered_at', 'is', null)
    .where('dead_at', 'is', null)
    .where(
      'application_id',
      'in',
      stopped.map((row) => row.application_id),
    )
    .execute();
}

/**
 * The ids of all applications of an application's agency: an address that is gone is gone for one agency. Another one may have
 * named it by mistake, or to do harm.
 */
export function applicationsOfSameAgency(trx: DatabaseTransaction, applicationId: string) {
  return trx
    .selectFrom('application as same')
    .innerJoin('application as own', 'own.agency_id', 'same.agency_id')
    .select('same.id')
    .where('own.id', '=', applicationId);
}
