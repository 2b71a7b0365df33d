import { type OnConflictBuilder, type QueryCreator, type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import type { Session } from '../../../contract/index.js';
import { ownedBy, type Owner } from '../owner.js';
import { statement } from '../statement.js';
import type { EarlierSessionTable } from '../tables/session-tables.js';
import type { ApplicationRow, Tables } from '../tables/tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `earlier_session` as it is read. */
export type EarlierSessionRow = Selectable<EarlierSessionTable>;

/** A new application, and what decides about the data that its user need not enter again. */
export type NewSession = ApplicationRow &
  Record<LostColumn, never> & {
    /** Answers to background questions that were submitted before do not count. */
    answersSince: Date;
    /** The prefixes of the texts that can be decrypted. */
    keyPrefixes: readonly string[];
  };

/** An Idempotency-Key. */
export interface SessionKey {
  key: string;
  /** SHA-256 of the body as canonical JSON. */
  bodyHash: Buffer;
  /** A request that took the key at this time or before does not count. */
  validSince: Date;
}

/**
 * The result for a new application. When it was neither inserted nor another one found, another
 * call has inserted one meanwhile.
 */
export interface InsertedUnlessUnfinished {
  isInserted: boolean;
  /** The user's newest unfinished application of the same kind. */
  unfinishedId: string | undefined;
  /** The data that was known about the user before. */
  prefilled: Session['prefilled'];
}

/**
 * Writes a new application, and its user unless `syncProfile` (operation 17) created one. Writes
 * nothing when the user has an unfinished application of the same kind. One statement, which needs
 * no transaction.
 */
export async function insertUnlessUnfinished(
  db: Database | DatabaseTransaction,
  session: NewSession,
): Promise<InsertedUnlessUnfinished> {
  return readInserted(await newSession(db, session));
}

/**
 * Like {@link insertUnlessUnfinished}, and takes the key of the request. Writes nothing when the key
 * was taken before. Not in a transaction: the whole session is one round trip.
 */
export async function insertWithKey(db: Database, session: NewSession & SessionKey): Promise<InsertedUnlessUnfinished> {
  try {
    return readInserted(await newSessionWithKey(db, session));
  } catch (error) {
    // Another call inserted the same application meanwhile, so that the key would lead to none.
    if ((error as { constraint?: string }).constraint === 'idempotency_key_application_id_fkey')
      return readInserted([]);
    throw error;
  }
}

interface NewSessionRow {
  insertedId: string | null;
  unfinishedId: string | null;
  prefilled: Session['prefilled'];
}

function readInserted([row]: NewSessionRow[]): InsertedUnlessUnfinished {
  return {
    isInserted: typeof row?.insertedId === 'string',
    unfinishedId: row?.unfinishedId ?? undefined,
    prefilled: row?.prefilled ?? { npn: false, ssn: false, backgroundQuestions: false },
  };
}

const newSession = statement('new_session', (db, given: NewSession) =>
  insertIfAllowed(
    withFacts(db, given).with('allowed', (cte) =>
      cte.selectNoFrom((eb) => eb.val(given.id).as('applicationId')).where(isNoneUnfinished),
    ),
    given,
  ),
);

const newSessionWithKey = statement('new_session_with_key', (db, given: NewSession & SessionKey) =>
  insertIfAllowed(
    withFacts(db, given).with('allowed', (cte) =>
      cte
        .insertInto('idempotencyKey')
        .columns(['agencyId', 'mode', 'key', 'bodyHash', 'applicationId', 'sessionId', 'createdAt', 'prefilled'])
        .expression(
          cte
            .selectFrom('known')
            .select((eb) => [
              eb.val(given.agencyId).as('agencyId'),
              eb.val(given.mode).as('mode'),
              eb.val(given.key).as('key'),
              eb.val(given.bodyHash).as('bodyHash'),
              eb.val(given.id).as('applicationId'),
              eb.val(given.sessionId).as('sessionId'),
              eb.val(given.createdAt).as('createdAt'),
              'known.prefilled',
            ])
            .where(isNoneUnfinished),
        )
        .onConflict(replaceKeyOf(given.validSince))
        .returning('applicationId'),
    ),
    given,
  ),
);

const isNoneUnfinished = sql<SqlBool>`not exists (select from unfinished)`;

/** Reads what is known about the user, and the unfinished application. */
function withFacts(db: Database, given: NewSession) {
  return db
    .with('known', (cte) =>
      cte
        .selectFrom(sql`(select)`.as('always'))
        .leftJoin('applicant', (join) => join.on(ownedBy(given, 'applicant')).on('applicant.userId', '=', given.userId))
        .select(
          sql<Session['prefilled']>`jsonb_build_object(
            'npn', coalesce(applicant.profile ? 'npn', false),
            'ssn', applicant.ssn_encrypted is not null and exists (
              select from unnest(${given.keyPrefixes}::text[]) prefix where starts_with(applicant.ssn_encrypted, prefix)),
            'backgroundQuestions', coalesce(applicant.answers_submitted_at >= ${given.answersSince}, false)
          )`.as('prefilled'),
        ),
    )
    .with('unfinished', (cte) =>
      cte
        .selectFrom('application')
        .select('id')
        .where(ownedBy(given, 'application'))
        .where(isUnfinishedOfKind(given))
        .orderBy('createdAt', 'desc')
        .limit(1),
    );
}

type Facts = Tables & {
  known: { prefilled: Session['prefilled'] };
  unfinished: { id: string };
  allowed: { applicationId: string };
};

/** Inserts the user and the application if `allowed` has a row. */
function insertIfAllowed(db: QueryCreator<Facts>, given: NewSession) {
  return db
    .with('newApplicant', (cte) => newApplicant(cte, given))
    .with('newApplication', (cte) =>
      cte
        .insertInto('application')
        .columns(newColumns)
        .expression(cte.selectFrom('allowed').select((eb) => newColumns.map((name) => eb.val(given[name]).as(name))))
        // The index application_unfinished_once: waits for a concurrent insert of the same
        // application, and then inserts nothing.
        .onConflict((conflict) => conflict.doNothing())
        .returning('id'),
    )
    .selectFrom('known')
    .leftJoin('unfinished', (join) => join.onTrue())
    .leftJoin('newApplication', (join) => join.onTrue())
    .select(['newApplication.id as insertedId', 'unfinished.id as unfinishedId', 'known.prefilled'])
    .$castTo<NewSessionRow>();
}

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

/** The first request with an Idempotency-Key. */
export interface KeptRequest {
  bodyHash: Buffer;
  applicationId: string;
  sessionId: string;
  prefilled: Session['prefilled'];
}

/**
 * Takes a key for a request, unless it was taken after `validSince`. Of several concurrent calls,
 * one takes it and the others wait for its commit. Resolves with the earlier request, or with
 * `undefined` for the one that took the key: it settles the key in the same transaction.
 */
export async function takeIdempotencyKey(
  trx: DatabaseTransaction,
  { agencyId, mode, id, sessionId, createdAt }: ApplicationRow,
  { key, bodyHash, validSince }: SessionKey,
): Promise<KeptRequest | undefined> {
  const owner: Owner = { agencyId, mode };
  const taken = await trx
    .insertInto('idempotencyKey')
    .values({ ...owner, key, bodyHash, applicationId: id, sessionId, prefilled: '{}', createdAt })
    .onConflict(replaceKeyOf(validSince))
    .returning('applicationId')
    .executeTakeFirst();
  if (taken !== undefined) return undefined;
  return trx
    .selectFrom('idempotencyKey')
    .select(['bodyHash', 'applicationId', 'sessionId', 'prefilled'])
    .where(ownedBy(owner, 'idempotencyKey'))
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
}

/** A request takes the key of another that is too old. */
function replaceKeyOf(validSince: Date) {
  return (conflict: OnConflictBuilder<Tables, 'idempotencyKey'>) =>
    conflict
      .columns(['agencyId', 'mode', 'key'])
      .doUpdateSet((eb) => ({
        bodyHash: eb.ref('excluded.bodyHash'),
        applicationId: eb.ref('excluded.applicationId'),
        sessionId: eb.ref('excluded.sessionId'),
        prefilled: sql<string>`excluded.prefilled`,
        createdAt: eb.ref('excluded.createdAt'),
      }))
      .where('idempotencyKey.createdAt', '<=', validSince);
}

/** Records the result of the request that took a key. */
export async function settleIdempotencyKey(
  trx: DatabaseTransaction,
  owner: Owner,
  request: Pick<KeptRequest, 'applicationId' | 'prefilled'> & Pick<SessionKey, 'key'>,
): Promise<void> {
  await trx
    .updateTable('idempotencyKey')
    .set({ applicationId: request.applicationId, prefilled: JSON.stringify(request.prefilled) })
    .where(ownedBy(owner, 'idempotencyKey'))
    .where('key', '=', request.key)
    .execute();
}
