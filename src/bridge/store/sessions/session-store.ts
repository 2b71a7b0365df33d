import { type QueryCreator, type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import type { Session } from '../../../contract/index.js';
import { ownedBy, type Owner } from '../owner.js';
import { statement } from '../statement.js';
import type { EarlierSessionTable } from '../tables/session-tables.js';
import type { ApplicantTable, ApplicationRow, Tables } from '../tables/tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** The data known about the user of a new session. */
export type KnownApplicant = Pick<Selectable<ApplicantTable>, 'profile' | 'ssn_encrypted' | 'answers_submitted_at'>;

/** A row of `earlier_session` as it is read. */
export type EarlierSessionRow = Selectable<EarlierSessionTable>;

/**
 * The result for a new application. When it was neither inserted nor another one found, another
 * call has inserted one meanwhile.
 */
export interface InsertedUnlessUnfinished {
  isInserted: boolean;
  /** The user's newest unfinished application of the same kind. */
  unfinishedId: string | undefined;
  /** The data known about the user before; `undefined` when there is none. */
  applicant: KnownApplicant | undefined;
}

/**
 * Writes a new application, and its user unless `syncProfile` (operation 17) created one. Writes
 * nothing when the user has an unfinished application of the same kind. One statement, which needs
 * no transaction.
 */
export async function insertUnlessUnfinished(
  db: Database,
  application: ApplicationRow,
): Promise<InsertedUnlessUnfinished> {
  const [row] = await newSession(db, application);
  const { inserted_id, unfinished_id, profile, ssn_encrypted, answers_submitted_at } = row ?? nothingFound;
  return {
    isInserted: inserted_id !== null,
    unfinishedId: unfinished_id ?? undefined,
    applicant: profile === null ? undefined : { profile, ssn_encrypted, answers_submitted_at },
  };
}

type NewSessionRow = { inserted_id: string | null; unfinished_id: string | null } & {
  [Column in keyof KnownApplicant]: KnownApplicant[Column] | null;
};

const nothingFound: NewSessionRow = {
  inserted_id: null,
  unfinished_id: null,
  profile: null,
  ssn_encrypted: null,
  answers_submitted_at: null,
};

const newSession = statement('new_session', (db, given: ApplicationRow) =>
  db
    .with('known', (cte) =>
      cte
        .selectFrom('applicant')
        .select(['profile', 'ssn_encrypted', 'answers_submitted_at'])
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
        // The index application_unfinished_once: waits for a concurrent insert of the same
        // application, and then inserts nothing.
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
      'known.ssn_encrypted',
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
  'catalogue_version',
] as const satisfies (keyof ApplicationRow)[];

/** Whether a new session resumes this application. The order of the states does not matter. */
function isUnfinishedOfKind(given: ApplicationRow): RawBuilder<SqlBool> {
  return sql<SqlBool>`(application.user_id = ${given.user_id}
    and application.submitted_at is null and application.erased_at is null
    and application.application_type = ${given.application_type} and application.license_type = ${given.license_type}
    and application.states_key = ${given.states_key})`;
}

function newApplicant(db: QueryCreator<Tables>, given: ApplicationRow) {
  return db
    .insertInto('applicant')
    .values({
      agency_id: given.agency_id,
      mode: given.mode,
      user_id: given.user_id,
      profile: '{}',
      ssn_encrypted: null,
      answers_submitted_at: null,
      created_at: given.created_at,
      updated_at: given.created_at,
    })
    .onConflict((conflict) => conflict.doNothing());
}

/** The fields of an application that a new session changes. */
export type NewestSession = Pick<
  ApplicationRow,
  'session_id' | 'link_hash' | 'return_url' | 'webhook_url' | 'expires_at' | 'payment_method' | 'step'
>;

/**
 * Adds a session to an application. The link of the previous session stays valid until that session
 * ends. The caller has locked the application's row. Resolves with the updated application.
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

/** Finds an earlier session by the hash of its link. */
export function findEarlierSessionByLink(db: Database, linkHash: Buffer): Promise<EarlierSessionRow | undefined> {
  return db.selectFrom('earlier_session').selectAll().where('link_hash', '=', linkHash).executeTakeFirst();
}

/** Finds an earlier session by its id. */
export function findEarlierSession(db: Database, sessionId: string): Promise<EarlierSessionRow | undefined> {
  return db.selectFrom('earlier_session').selectAll().where('session_id', '=', sessionId).executeTakeFirst();
}

/** The request behind an Idempotency-Key. */
export interface KeptRequest {
  key: string;
  bodyHash: Buffer;
  applicationId: string;
  sessionId: string;
  prefilled: Session['prefilled'];
}

/**
 * Takes a key for a request, unless it was taken after `validSince`. Of several concurrent calls,
 * one takes it and the others wait for its commit. Resolves with the request behind the key: the
 * caller's or the earlier one.
 */
export async function takeIdempotencyKey(
  trx: DatabaseTransaction,
  owner: Owner,
  request: KeptRequest,
  now: Date,
  validSince: Date,
): Promise<KeptRequest> {
  const taken = await trx
    .insertInto('idempotency_key')
    .values({
      agency_id: owner.agencyId,
      mode: owner.mode,
      key: request.key,
      body_hash: request.bodyHash,
      application_id: request.applicationId,
      session_id: request.sessionId,
      prefilled: JSON.stringify(request.prefilled),
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['agency_id', 'mode', 'key'])
        .doUpdateSet((eb) => ({
          body_hash: eb.ref('excluded.body_hash'),
          application_id: eb.ref('excluded.application_id'),
          session_id: eb.ref('excluded.session_id'),
          prefilled: sql<string>`excluded.prefilled`,
          created_at: eb.ref('excluded.created_at'),
        }))
        .where('idempotency_key.created_at', '<=', validSince),
    )
    .returning('application_id')
    .executeTakeFirst();
  if (taken !== undefined) return request;
  const first = await trx
    .selectFrom('idempotency_key')
    .selectAll()
    .where(ownedBy(owner, 'idempotency_key'))
    .where('key', '=', request.key)
    .executeTakeFirstOrThrow();
  const { key, body_hash, application_id, session_id, prefilled } = first;
  return { key, bodyHash: body_hash, applicationId: application_id, sessionId: session_id, prefilled };
}

/** Records the result of the request that took a key. */
export async function settleIdempotencyKey(
  trx: DatabaseTransaction,
  owner: Owner,
  request: Pick<KeptRequest, 'key' | 'applicationId' | 'prefilled'>,
): Promise<void> {
  await trx
    .updateTable('idempotency_key')
    .set({ application_id: request.applicationId, prefilled: JSON.stringify(request.prefilled) })
    .where(ownedBy(owner, 'idempotency_key'))
    .where('key', '=', request.key)
    .execute();
}
