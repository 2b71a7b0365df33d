import { sql, type QueryCreator, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import { ownedBy } from '../owner.js';
import { statement } from '../statement.js';
import type { ApplicantTable, ApplicationRow, Tables } from '../tables/tables.js';

/** What was known of the user of a new session. */
export type KnownApplicant = Pick<Selectable<ApplicantTable>, 'profile' | 'ssn_sealed' | 'answers_submitted_at'>;

/** Which applications a new session goes on with. */
export interface Renewable {
  /** Their session ends by then, or has ended. */
  endsBy: Date;
  /** But not before this. */
  endedAfter: Date;
  /** Or it was renewed since then. */
  renewedAfter: Date;
}

/** What there is already when a session is asked for. */
export interface Begun {
  /** What was known of the user before; `undefined` when nothing was. */
  applicant: KnownApplicant | undefined;
  /**
   * The application to go on with: the user's newest one of the same kind that was started, not submitted, and is
   * {@link Renewable}, unless one of that kind was submitted since.
   */
  applicationId: string | undefined;
}

/**
 * Writes a new application, and its user when operation 17 never saw them; nothing when there is an application to go on with.
 * One statement: it needs no transaction of its own.
 */
export async function insertUnlessBegun(
  db: Database,
  application: ApplicationRow,
  renewable: Renewable,
): Promise<Begun> {
  const [begun] = await newSession(db, { ...application, ...renewable });
  return describe(begun);
}

/** What there is already; writes nothing. */
export async function findBegun(db: Database, application: ApplicationRow, renewable: Renewable): Promise<Begun> {
  const [begun] = await begunBefore(db, { ...application, ...renewable });
  return describe(begun);
}

/** Writes a new application, and its user when operation 17 never saw them. */
export async function insertSession(trx: DatabaseTransaction, application: ApplicationRow): Promise<void> {
  await newApplicant(trx, application).execute();
  await trx.insertInto('application').values(application).execute();
}

type Given = ApplicationRow & Renewable;
type BegunRow = { application_id: string | null } & { [Column in keyof KnownApplicant]: KnownApplicant[Column] | null };

function describe(row: BegunRow | undefined): Begun {
  const { application_id = null, profile = null, ssn_sealed = null, answers_submitted_at = null } = row ?? {};
  return {
    applicant: profile === null ? undefined : { profile, ssn_sealed, answers_submitted_at },
    applicationId: application_id ?? undefined,
  };
}

const begunBefore = statement('begun_before', (db, given: Given) => selectBegun(withBegun(db, given)));

const newSession = statement('new_session', (db, given: Given) =>
  selectBegun(
    withBegun(db, given)
      .with('new_applicant', (cte) => newApplicant(cte, given))
      .with('new_application', (cte) =>
        cte
          .insertInto('application')
          .columns(newColumns)
          .expression(
            cte
              .selectNoFrom((eb) => newColumns.map((name) => eb.val(given[name]).as(name)))
              .where(sql<SqlBool>`not exists (select from begun)`),
          ),
      ),
  ),
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

/** `known` is what is known of the user, `begun` the application to go on with. */
function withBegun(db: QueryCreator<Tables>, given: Given) {
  const owner = { agencyId: given.agency_id, mode: given.mode };
  return db
    .with('known', (cte) =>
      cte
        .selectFrom('applicant')
        .select(['profile', 'ssn_sealed', 'answers_submitted_at'])
        .where(ownedBy(owner, 'applicant'))
        .where('user_id', '=', given.user_id),
    )
    .with('newest', (cte) =>
      cte
        .selectFrom('application')
        .select(['id', 'created_at', 'expires_at', 'renewed_at'])
        .where(ownedBy(owner, 'application'))
        .where('user_id', '=', given.user_id)
        .where('started_at', 'is not', null)
        .where('submitted_at', 'is', null)
        .where(isOfKind(given))
        .orderBy('created_at', 'desc')
        .limit(1),
    )
    .with('begun', (cte) =>
      cte
        .selectFrom('newest')
        .select('newest.id')
        .where(({ and, or, eb: is }) =>
          or([
            and([is('expires_at', '<=', given.endsBy), is('expires_at', '>', given.endedAfter)]),
            is('renewed_at', '>', given.renewedAfter),
          ]),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('application')
                .select('application.id')
                .where(ownedBy(owner, 'application'))
                .where('application.user_id', '=', given.user_id)
                .whereRef('application.submitted_at', '>', 'newest.created_at')
                .where(isOfKind(given)),
            ),
          ),
        ),
    );
}

/** Whether an application is for the same as the one that is asked for. The order of its states says nothing. */
function isOfKind({ application_type, license_type, payment_method, states }: Given): RawBuilder<SqlBool> {
  return sql<SqlBool>`(application.application_type = ${application_type} and application.license_type = ${license_type}
    and application.payment_method = ${payment_method}
    and application.states @> ${states}::text[] and application.states <@ ${states}::text[])`;
}

function selectBegun(db: ReturnType<typeof withBegun>) {
  return db
    .selectFrom(sql`(select)`.as('always'))
    .leftJoin('known', (join) => join.onTrue())
    .leftJoin('begun', (join) => join.onTrue())
    .select(['begun.id as application_id', 'known.profile', 'known.ssn_sealed', 'known.answers_submitted_at']);
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
