import { type QueryCreator, type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import type { Session } from '../../../contract/index.js';
import { ownedBy, type Owner } from '../owner.js';
import { statement } from '../statement.js';
import type { EarlierSessionTable } from '../tables/session-tables.js';
import type { ApplicantTable, ApplicationRow, Tables } from '../tables/tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** The data known about the user of a new session. */
export type KnownApplicant = Pick<Selectable<ApplicantTable>, 'profile' | 'ssnEncrypted' | 'answersSubmittedAt'>;

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
  application: ApplicationRow & Record<LostColumn, never>,
): Promise<InsertedUnlessUnfinished> {
  const [row] = await newSession(db, application);
  const { insertedId, unfinishedId, profile, ssnEncrypted, answersSubmittedAt } = row ?? nothingFound;
  return {
    isInserted: insertedId !== null,
    unfinishedId: unfinishedId ?? undefined,
    applicant: profile === null ? undefined : { profile, ssnEncrypted, answersSubmittedAt },
  };
}

type NewSessionRow = { insertedId: string | null; unfinishedId: string | null } & {
  [Column in keyof KnownApplicant]: KnownApplicant[Column] | null;
};

const nothingFound: NewSessionRow = {
  insertedId: null,
  unfinishedId: null,
  profile: null,
  ssnEncrypted: null,
  answersSubmittedAt: null,
};

const newSession = statement('new_session', (db, given: ApplicationRow) =>
  db
    .with('known', (cte) =>
      cte
        .selectFrom('applicant')
        .select(['profile', 'ssnEncrypted', 'answersSubmittedAt'])
        .where(ownedBy(given, 'applicant'))
        .where('userId', '=', given.userId),
    )
    .with('unfinished', (cte) =>
      cte
        .selectFrom('application')
        .select('id')
        .where(ownedBy(given, 'application'))
        .where(isUnfinishedOfKind(given))
        .orderBy('createdAt', 'desc')
        .limit(1),
    )
    .with('newApplicant', (cte) => newApplicant(cte, given))
    .with('newApplication', (cte) =>
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
    .leftJoin('newApplication', (join) => join.onTrue())
    .select([
      'newApplication.id as insertedId',
      'unfinished.id as unfinishedId',
      'known.profile',
      'known.ssnEncrypted',
      'known.answersSubmittedAt',
    ])
    .$castTo<NewSessionRow>(),
);

const newColumns = [
  'id',
  'sessionId',
  'agencyId',
  'mode',
  'userId',
  'applicationType',
  'licenseType',
  'states',
  'statesKey',
  'paymentMethod',
  'returnUrl',
  'webhookUrl',
  'linkHash',
  'step',
  'createdAt',
  'expiresAt',
  'startedAt',
  'submittedAt',
  'catalogueVersion',
] as const satisfies (keyof ApplicationRow)[];

/** Columns of `application` that are null until a later change fills them. */
type LaterColumn = 'receiptNumber' | 'renewedAt' | 'feeLines' | 'erasedAt' | 'proofEmailEncrypted';

/** Columns in neither list, which a new application would lose without an error. */
type LostColumn = Exclude<keyof ApplicationRow, (typeof newColumns)[number] | LaterColumn>;

/** Whether a new session resumes this application. The order of the states does not matter. */
function isUnfinishedOfKind(given: ApplicationRow): RawBuilder<SqlBool> {
  return sql<SqlBool>`(application.user_id = ${given.userId}
    and application.submitted_at is null and application.erased_at is null
    and application.application_type = ${given.applicationType} and application.license_type = ${given.licenseType}
    and application.states_key = ${given.statesKey})`;
}

function newApplicant(db: QueryCreator<Tables>, given: ApplicationRow) {
  return db
    .insertInto('applicant')
    .values({
      agencyId: given.agencyId,
      mode: given.mode,
      userId: given.userId,
      profile: '{}',
      ssnEncrypted: null,
      answersSubmittedAt: null,
      createdAt: given.createdAt,
      updatedAt: given.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing());
}

/** The fields of an application that a new session changes. */
export type NewestSession = Pick<
  ApplicationRow,
  'sessionId' | 'linkHash' | 'returnUrl' | 'webhookUrl' | 'expiresAt' | 'paymentMethod' | 'step'
>;

/**
 * Adds a session to an application. The link of the previous session stays valid until that session
 * ends. The caller has locked the application's row. Resolves with the updated application.
 */
export function replaceSession(
  trx: DatabaseTransaction,
  { id, sessionId, linkHash, returnUrl, expiresAt }: ApplicationRow,
  newest: NewestSession,
  now: Date,
): Promise<ApplicationRow> {
  return trx
    .with('earlier', (cte) =>
      cte.insertInto('earlierSession').values({ sessionId, applicationId: id, linkHash, returnUrl, expiresAt }),
    )
    .updateTable('application')
    .set({ ...newest, renewedAt: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Ends the earlier sessions of an application. */
export async function endEarlierSessions(trx: DatabaseTransaction, applicationId: string, now: Date): Promise<void> {
  await trx
    .updateTable('earlierSession')
    .set({ expiresAt: now })
    .where('applicationId', '=', applicationId)
    .where('expiresAt', '>', now)
    .execute();
}

/** Finds an earlier session by the hash of its link. */
export function findEarlierSessionByLink(db: Database, linkHash: Buffer): Promise<EarlierSessionRow | undefined> {
  return db.selectFrom('earlierSession').selectAll().where('linkHash', '=', linkHash).executeTakeFirst();
}

/** Finds an earlier session by its id. */
export function findEarlierSession(db: Database, sessionId: string): Promise<EarlierSessionRow | undefined> {
  return db.selectFrom('earlierSession').selectAll().where('sessionId', '=', sessionId).executeTakeFirst();
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
    .insertInto('idempotencyKey')
    .values({
      ...request,
      agencyId: owner.agencyId,
      mode: owner.mode,
      prefilled: JSON.stringify(request.prefilled),
      createdAt: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['agencyId', 'mode', 'key'])
        .doUpdateSet((eb) => ({
          bodyHash: eb.ref('excluded.bodyHash'),
          applicationId: eb.ref('excluded.applicationId'),
          sessionId: eb.ref('excluded.sessionId'),
          prefilled: sql<string>`excluded.prefilled`,
          createdAt: eb.ref('excluded.createdAt'),
        }))
        .where('idempotencyKey.createdAt', '<=', validSince),
    )
    .returning('applicationId')
    .executeTakeFirst();
  if (taken !== undefined) return request;
  const first = await trx
    .selectFrom('idempotencyKey')
    .selectAll()
    .where(ownedBy(owner, 'idempotencyKey'))
    .where('key', '=', request.key)
    .executeTakeFirstOrThrow();
  const { key, bodyHash, applicationId, sessionId, prefilled } = first;
  return { key, bodyHash, applicationId, sessionId, prefilled };
}

/** Records the result of the request that took a key. */
export async function settleIdempotencyKey(
  trx: DatabaseTransaction,
  owner: Owner,
  request: Pick<KeptRequest, 'key' | 'applicationId' | 'prefilled'>,
): Promise<void> {
  await trx
    .updateTable('idempotencyKey')
    .set({ applicationId: request.applicationId, prefilled: JSON.stringify(request.prefilled) })
    .where(ownedBy(owner, 'idempotencyKey'))
    .where('key', '=', request.key)
    .execute();
}
