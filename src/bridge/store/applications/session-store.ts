import { sql, type QueryCreator, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import { ownedBy } from '../owner.js';
import { statement } from '../statement.js';
import type { EarlierSessionTable } from '../tables/session-tables.js';
import type { ApplicantTable, ApplicationRow, Tables } from '../tables/tables.js';

/** What was known of the user of a new session. */
export type KnownApplicant = Pick<Selectable<ApplicantTable>, 'profile' | 'ssn_sealed' | 'answers_submitted_at'>;

/** A row of `earlier_session` as it is read. */
export type EarlierSessionRow = Selectable<EarlierSessionTable>;

/** What became of a new application. Neither inserted nor another one found: another call has inserted one meanwhile. */
export interface InsertedUnlessUnfinished {
  isInserted: boolean;
  /** The user's newest unfinished application of the same kind. */
  unfinishedId: string | undefined;
  /** What was known of the user before; `undefined` when nothing was. */
  applicant: KnownApplicant | undefined;
}

/**
 * Writes a new application, and its user when operation 17 never saw them; nothing when the user has an unfinished one of the same
 * kind. One statement: it needs no transaction of its own.
 */
export async function insertUnlessUnfinished(
  db: Database,
  application: ApplicationRow,
): Promise<InsertedUnlessUnfinished> {
  const [row] = await newSession(db, application);
  const { inserted_id, unfinished_id, profile, ssn_sealed, answers_submitted_at } = row ?? nothingFound;
  return {
    isInserted: inserted_id !== null,
    unfinishedId: unfinished_id ?? undefined,
    applicant: profile === null ? undefined : { profile, ssn_sealed, answers_submitted_at },
  };
}

type NewSessionRow = { inserted_id: string | null; unfinished_id: string | null } & {
  [Column in keyof KnownApplicant]: KnownApplicant[Column] | null;
};

const nothingFound: NewSessionRow = {
  inserted_id: null,
  unfinished_id: null,
  profile: null,
  ssn_sealed: null,
  answers_submitted_at: null,
};

const newSession = statement('new_session', (db, given: ApplicationRow) =>
  db
    .with('known', (cte) =>
      cte
        .selectFrom('applicant')
        .select(['profile', 'ssn_sealed', 'answers_submitted_at'])
        .where(ownedBy({ agencyId: given.agency_id, mode: given.mode }, 'applicant'))
        .where('user_id', '=', given.user_id),
    )
    .with('unfinished', (cte) =>
      cte
        .selectFrom('application')
        .select('id')
        .where(ownedBy({ agencyId: given.agency_id, mode: given.mode }, 'application'))
        .where(isUnfinishedOfKind(given))
        .orderBy('created_at', 'desc')
        .limit(1),
    )
    .with('new_applicant', (cte) => newApplicant(cte, given))
    .with('new_application', (cte) =>
      cte
        .insertInto('application')
        .columns(newColumns)
        .expression(
          cte
            .selectNoFrom((eb) => newColumns.map((name) => eb.val(given[name]).as(name)))
            .where(sql<SqlBool>`not exists (select from unfinished)`),
        )
        // The index application_unfinished_once: waits for the call that inserts another one just now, and then leaves it at that.
        .onConflict((conflict) => conflict.doNothing())
        .returning('id'),
    )
    .selectFrom(sql`(select)`.as('always'))
    .leftJoin('known', (join) => join.onTrue())
    .leftJoin('unfinished', (join) => join.onTrue())
    .leftJoin('new_application', (join) => join.onTrue())
    .select([
      'new_application.id as inserted_id',
      'unfinished.id as unfinished_id',
      'known.profile',
      'known.ssn_sealed',
      'known.answers_submitted_at',
    ])
    .$castTo<NewSessionRow>(),
);

const newColumns = [
  'id',
  'session_id',
  'agency_id',
  'mode',
  'user_id',
  'application_type',
  'license_type',
  'states',
  'states_key',
  'payment_method',
  'return_url',
  'webhook_url',
  'link_hash',
  'step',
  'created_at',
  'expires_at',
  'started_at',
  'submitted_at',
] as const satisfies (keyof ApplicationRow)[];

/** Whether an application can be resumed by a session that asks for this one. The order of the states says nothing. */
function isUnfinishedOfKind(given: ApplicationRow): RawBuilder<SqlBool> {
  // By `states`, not by `states_key`, which the version before did not write.
  return sql<SqlBool>`(application.user_id = ${given.user_id}
    and application.submitted_at is null and application.erased_at is null
    and application.application_type = ${given.application_type} and application.license_type = ${given.license_type}
    and application.states @> ${given.states}::text[] and application.states <@ ${given.states}::text[])`;
}

function newApplicant(db: QueryCreator<Tables>, given: ApplicationRow) {
  return db
    .insertInto('applicant')
    .values({
      agency_id: given.agency_id,
      mode: given.mode,
      user_id: given.user_id,
      profile: '{}',
      ssn_sealed: null,
      answers_submitted_at: null,
      created_at: given.created_at,
      updated_at: given.created_at,
    })
    .onConflict((conflict) => conflict.doNothing());
}

/** What of an application a new session changes. */
export type NewestSession = Pick<
  ApplicationRow,
  'session_id' | 'link_hash' | 'return_url' | 'webhook_url' | 'expires_at' | 'payment_method' | 'step'
>;

/**
 * Gives an application another session. The one before keeps its link until its own end. The caller holds the application's row.
 * Resolves with the application as it is now.
 */
export function replaceSession(
  trx: DatabaseTransaction,
  { id, session_id, link_hash, return_url, expires_at }: ApplicationRow,
  newest: NewestSession,
  now: Date,
): Promise<ApplicationRow> {
  return trx
    .with('earlier', (cte) =>
      cte.insertInto('earlier_session').values({ session_id, application_id: id, link_hash, return_url, expires_at }),
    )
    .updateTable('application')
    .set({ ...newest, renewed_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** An earlier session by the hash of its link. */
export function findEarlierSessionByLink(db: Database, linkHash: Buffer): Promise<EarlierSessionRow | undefined> {
  return db.selectFrom('earlier_session').selectAll().where('link_hash', '=', linkHash).executeTakeFirst();
}

/** An earlier session by its id. */
export function findEarlierSession(db: Database, sessionId: string): Promise<EarlierSessionRow | undefined> {
  return db.selectFrom('earlier_session').selectAll().where('session_id', '=', sessionId).executeTakeFirst();
}
