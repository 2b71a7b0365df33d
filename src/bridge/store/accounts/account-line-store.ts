import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { DatabaseTransaction } from '../tables/typed-database.js';
import { ownedBy, type Owner } from '../owner.js';

/**
 * Lines of events that follow the account's address: those of applications whose session named none. The address stands in the
 * line itself, and operation 2 moves the lines in which something waits; the others take the new address with their next event.
 * Both functions are called in the transaction that holds the account's settings, so no such line gets an event meanwhile.
 */

/**
 * Sends what waits for the account's address to another one, at once and with all its tries. An address that answered 410 is
 * used again: whoever sets it says that it works.
 */
export async function redirectAccountLines(
  trx: DatabaseTransaction,
  owner: Owner,
  url: string,
  now: Date,
): Promise<void> {
  const isGoneThere = sql<SqlBool>`(webhook_stream.url = ${url} and webhook_stream.gone_at is not null)`;
  const isConcerned = sql<SqlBool>`(webhook_stream.due_at is not null or ${isGoneThere})
    and exists (select from application where application.id = webhook_stream.application_id
      and ${ownedBy(owner, 'application')} and (application.webhook_url is null or ${isGoneThere}))`;
  await lockLines(trx, isConcerned);
  // A try under way keeps its lease, so that there is never a second one beside it.
  await sql`update webhook_stream
    set url = ${url}, gone_at = null,
      due_at = case when url = ${url} then due_at else ${now}::timestamptz end,
      attempts = case when url = ${url} then attempts else 0 end
    where ${isConcerned}`.execute(trx);
}

/** Gives up what waits for the account's address, because there is none any more. The operator can replay it. */
export async function parkAccountLines(trx: DatabaseTransaction, owner: Owner, now: Date): Promise<void> {
  const isConcerned = sql<SqlBool>`webhook_stream.due_at is not null
    and exists (select from application where application.id = webhook_stream.application_id
      and ${ownedBy(owner, 'application')} and application.webhook_url is null)`;
  await lockLines(trx, isConcerned);
  await sql`with parked as (
      update webhook_stream set due_at = null, attempts = 0 where ${isConcerned} returning application_id
    )
    update webhook_event set dead_at = ${now}
    where delivered_at is null and dead_at is null and application_id in (select application_id from parked)`.execute(
    trx,
  );
}

/** In the order in which everybody locks lines, see lockAddress. */
async function lockLines(trx: DatabaseTransaction, isConcerned: RawBuilder<SqlBool>): Promise<void> {
  await trx
    .selectFrom('webhook_stream')
    .select('application_id')
    .where(isConcerned)
    .orderBy('application_id')
    .forNoKeyUpdate()
    .execute();
}
