import { type Insertable, sql } from 'kysely';
import { ownedBy, type Owner } from '../owner.js';
import type { OnboardedProducerTable, TeamMemberTable } from '../tables/producer-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** The details of a team member that operation 5 received. Absent ones are null. */
export type TeamMember = Omit<Insertable<TeamMemberTable>, 'agency_id' | 'mode' | 'npn' | 'updated_at'>;

/** The onboard types that an agency may use, as of now: the operator can change them while tokens live. */
export async function findOnboardTypes(db: Database, agencyId: string): Promise<string[]> {
  const { onboard_types } = await db
    .selectFrom('agency')
    .select('onboard_types')
    .where('id', '=', agencyId)
    .executeTakeFirstOrThrow();
  return onboard_types;
}

/**
 * Marks producers as onboarded and subscribes to them. Doing it again changes nothing, but that `team` outranks `subscribe`.
 *
 * Both tables are written in the order of the NPNs, and this one first: two calls that share NPNs then wait for each other in
 * one direction only. A transaction calls it once for the same reason.
 */
export async function onboardProducers(
  trx: DatabaseTransaction,
  owner: Owner,
  npns: readonly string[],
  type: OnboardedProducerTable['onboard_type'],
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
 * Keeps what is known of a member of the team. Told again, what is new replaces what was; what is left out stays, because
 * whoever corrects an e-mail address need not have the SSN at hand.
 */
export async function saveTeamMember(
  trx: DatabaseTransaction,
  owner: Owner,
  npn: string,
  member: TeamMember,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('team_member')
    .values({ agency_id: owner.agencyId, mode: owner.mode, npn: Number(npn), ...member, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['agency_id', 'mode', 'npn']).doUpdateSet((eb) => ({
        payment_responsibility: eb.ref('excluded.payment_responsibility'),
        email: eb.ref('excluded.email'),
        first_name: eb.ref('excluded.first_name'),
        last_name: eb.ref('excluded.last_name'),
        phone: eb.fn.coalesce('excluded.phone', 'team_member.phone'),
        gender: eb.fn.coalesce('excluded.gender', 'team_member.gender'),
        ssn_sealed: eb.fn.coalesce('excluded.ssn_sealed', 'team_member.ssn_sealed'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute();
}

/** The NPNs that an agency onboarded, in their order: at most `limit`, those that come after one when it is given. */
export async function findOnboardedNpns(
  db: Database,
  owner: Owner,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('onboarded_producer')
    .select('npn')
    .where(ownedBy(owner, 'onboarded_producer'))
    .where('npn', '>', Number(after ?? 0))
    .orderBy('npn')
    .limit(limit)
    .execute();
  return rows.map(({ npn }) => String(npn));
}

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
      // subscriptions of the agency until the database has gathered statistics.
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
