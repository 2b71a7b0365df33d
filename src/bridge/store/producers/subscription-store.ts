import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import { ownedBy, type Owner } from '../owner.js';

/** NPNs that an agency subscribes to, and when each was first added. */
export type AddedAt = Map<string, Date>;

/**
 * Makes changes of an owner's subscriptions come one after the other until the transaction ends. A list of NPNs is then added
 * or removed as one: without it, what is removed would miss what another call is just adding, and both lists would come out in
 * part. Onboarding does not take it: it promises nothing about lists.
 */
export async function lockSubscriptions(trx: DatabaseTransaction, owner: Owner): Promise<void> {
  const name = `subscription:${owner.agencyId}:${owner.mode}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

/** Subscribes to NPNs. Resolves with all of them: those that were there before keep when they were added. */
export async function insertSubscriptions(
  trx: DatabaseTransaction,
  owner: Owner,
  npns: readonly string[],
  now: Date,
): Promise<AddedAt> {
  // In the order of the NPNs, as onboarding adds them: the two may wait for each other in one direction only.
  await sql`
    insert into subscription (agency_id, mode, npn, added_at)
    select ${owner.agencyId}, ${owner.mode}, npn, ${now}::timestamptz
    from unnest(${npns}::bigint[]) as given (npn) order by npn
    on conflict do nothing`.execute(trx);
  // A statement of its own, which sees what the insert waited for.
  return addedAt(await subscriptionsTo(trx, owner, npns).select(['found.npn', 'found.added_at']).execute());
}

/** Ends subscriptions. Resolves with those that there were. */
export async function deleteSubscriptions(
  trx: DatabaseTransaction,
  owner: Owner,
  npns: readonly string[],
): Promise<AddedAt> {
  const found = subscriptionsTo(trx, owner, npns).select('found.ctid');
  const rows = await trx
    .deleteFrom('subscription')
    // Where a row lies is good enough for a row that is never updated. No other condition: each would lead to another index.
    .where(sql.ref('ctid'), '=', sql`any(array(${found}))`)
    .returning(['npn', 'added_at'])
    .execute();
  return addedAt(rows);
}

/** Whether an agency subscribes to an NPN. */
export async function isSubscribed(db: Database, owner: Owner, npn: string): Promise<boolean> {
  const row = await db
    .selectFrom('subscription')
    .select('npn')
    .where(ownedBy(owner, 'subscription'))
    .where('npn', '=', Number(npn))
    .executeTakeFirst();
  return row !== undefined;
}

/** The subscriptions to these NPNs, one parameter however many there are. */
function subscriptionsTo(db: Database, owner: Owner, npns: readonly string[]) {
  const asked = sql<{ npn: number }>`unnest(${npns}::bigint[])`.as<'asked'>(sql`asked (npn)`);
  return (
    db
      .selectFrom(asked)
      // Looked up by the primary key one after the other, which `offset` makes sure of: PostgreSQL 15 answers `npn = any(…)` with all
      // subscriptions of the agency as long as nobody has gathered statistics.
      .crossJoinLateral((eb) =>
        eb
          .selectFrom('subscription')
          .select([sql<string>`ctid`.as('ctid'), 'npn', 'added_at'])
          .where(ownedBy(owner, 'subscription'))
          .whereRef('subscription.npn', '=', 'asked.npn')
          .offset(0)
          .as('found'),
      )
  );
}

function addedAt(rows: readonly { npn: number; added_at: Date }[]): AddedAt {
  return new Map(rows.map(({ npn, added_at }) => [String(npn), added_at]));
}
