import { type Insertable, sql } from 'kysely';
import { ownedBy, type Owner } from '../owner.js';
import type { OnboardedProducerTable, TeamMemberTable } from '../tables/producer-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/**
 * The details of a team member that onboardProducer (operation 5) received. Absent ones are null.
 */
export type TeamMember = Omit<Insertable<TeamMemberTable>, 'agencyId' | 'mode' | 'npn' | 'updatedAt'>;

/**
 * Reads the onboard types that an agency may use. Read for each call, because the operator can
 * change them while tokens are valid.
 */
export async function findOnboardTypes(db: Database, agencyId: string): Promise<string[]> {
  const { onboardTypes } = await db
    .selectFrom('agency')
    .select('onboardTypes')
    .where('id', '=', agencyId)
    .executeTakeFirstOrThrow();
  return onboardTypes;
}

/**
 * Marks producers as onboarded and subscribes to them. Repeating it changes nothing, except that
 * `team` replaces `subscribe`.
 *
 * Both tables are written in the order of the NPNs, always in the same sequence, so that two calls
 * that share NPNs cannot deadlock. A transaction calls it only once for the same reason.
 */
export async function onboardProducers(
  trx: DatabaseTransaction,
  owner: Owner,
  npns: readonly string[],
  type: OnboardedProducerTable['onboardType'],
  now: Date,
): Promise<void> {
  const outranks = sql`on conflict (agency_id, mode, npn) do update set onboard_type = excluded.onboard_type
    where onboarded_producer.onboard_type <> excluded.onboard_type`;
  await sql`
    insert into onboarded_producer (agency_id, mode, npn, onboard_type, onboarded_at)
    select ${owner.agencyId}, ${owner.mode}, npn, ${type}, ${now}::timestamptz
    from unnest(${npns}::bigint[]) as given (npn) order by npn
    ${type === 'team' ? outranks : sql`on conflict do nothing`}`.execute(trx);
  await sql`
    insert into subscription (agency_id, mode, npn, added_at)
    select ${owner.agencyId}, ${owner.mode}, npn, ${now}::timestamptz
    from unnest(${npns}::bigint[]) as given (npn) order by npn
    on conflict do nothing`.execute(trx);
}

/**
 * Stores the details of a team member. A later call replaces the given fields and keeps the others,
 * so that a caller can correct an e-mail address alone.
 */
export async function saveTeamMember(
  trx: DatabaseTransaction,
  owner: Owner,
  npn: string,
  member: TeamMember,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('teamMember')
    .values({ agencyId: owner.agencyId, mode: owner.mode, npn: Number(npn), ...member, updatedAt: now })
    .onConflict((conflict) =>
      conflict.columns(['agencyId', 'mode', 'npn']).doUpdateSet((eb) => ({
        paymentResponsibility: eb.ref('excluded.paymentResponsibility'),
        email: eb.ref('excluded.email'),
        firstName: eb.ref('excluded.firstName'),
        lastName: eb.ref('excluded.lastName'),
        phone: eb.fn.coalesce('excluded.phone', 'teamMember.phone'),
        gender: eb.fn.coalesce('excluded.gender', 'teamMember.gender'),
        updatedAt: eb.ref('excluded.updatedAt'),
      })),
    )
    .execute();
}

/**
 * Reads the NPNs that an agency onboarded, in order: at most `limit`, after an NPN when it is
 * given.
 */
export async function findOnboardedNpns(
  db: Database,
  owner: Owner,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('onboardedProducer')
    .select('npn')
    .where(ownedBy(owner, 'onboardedProducer'))
    .where('npn', '>', Number(after ?? 0))
    .orderBy('npn')
    .limit(limit)
    .execute();
  return rows.map(({ npn }) => String(npn));
}

/** An NPN that an agency subscribes to, and the time when it was first added. */
export type AddedAt = Map<string, Date>;

/**
 * Locks the subscriptions of an owner until the transaction ends, so that a list of NPNs is added
 * or removed as a whole. Without the lock, a removal would miss NPNs that another call is just
 * adding. Onboarding does not take it, because it makes no promise about lists.
 */
export async function lockSubscriptions(trx: DatabaseTransaction, owner: Owner): Promise<void> {
  const name = `subscription:${owner.agencyId}:${owner.mode}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

/**
 * Subscribes to NPNs. Resolves with all of them; existing subscriptions keep the time when they
 * were added.
 */
export async function insertSubscriptions(
  trx: DatabaseTransaction,
  owner: Owner,
  npns: readonly string[],
  now: Date,
): Promise<AddedAt> {
  // In the order of the NPNs, as onboarding adds them, so that the two cannot deadlock.
  await sql`
    insert into subscription (agency_id, mode, npn, added_at)
    select ${owner.agencyId}, ${owner.mode}, npn, ${now}::timestamptz
    from unnest(${npns}::bigint[]) as given (npn) order by npn
    on conflict do nothing`.execute(trx);
  // A separate statement, which sees the rows that the insert waited for.
  return addedAt(await subscriptionsTo(trx, owner, npns).select(['found.npn', 'found.addedAt']).execute());
}

/** Ends subscriptions. Resolves with those that existed. */
export async function deleteSubscriptions(
  trx: DatabaseTransaction,
  owner: Owner,
  npns: readonly string[],
): Promise<AddedAt> {
  const found = subscriptionsTo(trx, owner, npns).select('found.ctid');
  const rows = await trx
    .deleteFrom('subscription')
    // By `ctid`, because these rows are never updated. No other condition, because each could lead
    // to another index.
    .where(sql.ref('ctid'), '=', sql`any(array(${found}))`)
    .returning(['npn', 'addedAt'])
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

/** The condition for these NPNs, with one parameter for all of them. */
function subscriptionsTo(db: Database, owner: Owner, npns: readonly string[]) {
  const asked = sql<{ npn: number }>`unnest(${npns}::bigint[])`.as<'asked'>(sql`asked (npn)`);
  return (
    db
      .selectFrom(asked)
      // `offset` forces one look-up by the primary key per NPN: without statistics, PostgreSQL 15
      // reads all subscriptions of the agency for `npn = any(…)`.
      .crossJoinLateral((eb) =>
        eb
          .selectFrom('subscription')
          .select([sql<string>`ctid`.as('ctid'), 'npn', 'addedAt'])
          .where(ownedBy(owner, 'subscription'))
          .whereRef('subscription.npn', '=', 'asked.npn')
          .offset(0)
          .as('found'),
      )
  );
}

function addedAt(rows: readonly { npn: number; addedAt: Date }[]): AddedAt {
  return new Map(rows.map(({ npn, addedAt }) => [String(npn), addedAt]));
}
