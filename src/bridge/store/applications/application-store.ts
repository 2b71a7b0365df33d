import { sql } from 'kysely';
import type { ProgressStep, StateCode } from '../../../contract/index.js';
import { ownedBy, type Owner } from '../owner.js';
import { statement } from '../statement.js';
import type { FilingRow } from '../filings/filing-store.js';
import type { ApplicationRow, ApplicationStateRow } from '../tables/tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** Finds an application of an owner by its id. */
export function findApplication(db: Database, owner: Owner, id: string): Promise<ApplicationRow | undefined> {
  return db
    .selectFrom('application')
    .selectAll()
    .where('id', '=', id)
    .where(ownedBy(owner, 'application'))
    .executeTakeFirst();
}

/** An application with its states, unordered. It has none before it is submitted. */
export interface ApplicationWithStates {
  application: ReadApplicationRow;
  states: ReadStateRow[];
}

/** The data of an application for `getApplication` (operation 19). */
export type ReadApplicationRow = Pick<ApplicationRow, (typeof readColumns)[number]>;

/** A state of such an application with its filing, whose columns are null where departments are simulated. */
export interface ReadStateRow extends ApplicationStateRow {
  filingStatus: FilingRow['status'] | null;
  filingSerial: FilingRow['serial'] | null;
  filedAt: FilingRow['filedAt'];
  waitsFor: FilingRow['waitsFor'];
}

const readColumns = [
  'id',
  'mode',
  'sessionId',
  'userId',
  'applicationType',
  'licenseType',
  'states',
  'paymentMethod',
  'step',
  'submittedAt',
] as const;

/**
 * As {@link findApplication}, with the statuses of the states. One query, because partners call
 * this operation most often.
 */
export async function findApplicationWithStates(
  db: Database,
  owner: Owner,
  id: string,
): Promise<ApplicationWithStates | undefined> {
  const rows = await applicationWithStates(db, { ...owner, id });
  const states = rows.flatMap((row) => (row.state === null ? [] : [row]));
  return rows[0] && { application: rows[0], states };
}

const applicationWithStates = statement('application_with_states', (db, given: Owner & { id: string }) =>
  db
    .selectFrom('application')
    .leftJoin('applicationState', 'applicationState.applicationId', 'application.id')
    .leftJoin('filing', (join) =>
      join
        .onRef('filing.applicationId', '=', 'applicationState.applicationId')
        .onRef('filing.state', '=', 'applicationState.state'),
    )
    .select(readColumns)
    .select([
      'applicationState.applicationId',
      'applicationState.state',
      'applicationState.status',
      'reason',
      'actionSerial',
      'actionLinkNumber',
      'actionHash',
      'actionUrlOverride',
      'issuedLicense',
      'applicationState.updatedAt',
      'filing.status as filingStatus',
      'filing.serial as filingSerial',
      'filedAt',
      'waitsFor',
    ])
    .where('id', '=', given.id)
    .where(ownedBy(given, 'application'))
    .$castTo<ReadApplicationRow & (ReadStateRow | { state: null })>(),
);

/**
 * Locks an application until the transaction ends; of any owner when none is given. Not
 * `for update`: that would also block writes of rows that reference it, and so cause deadlocks.
 */
export function lockOwnApplication(
  trx: DatabaseTransaction,
  id: string,
  owner?: Owner,
): Promise<ApplicationRow | undefined> {
  const any = trx.selectFrom('application').selectAll().where('id', '=', id).forNoKeyUpdate();
  const own = owner ? any.where(ownedBy(owner, 'application')) : any;
  return own.executeTakeFirst();
}

/** An application by its id. */
export function findApplicationById(db: Database, id: string): Promise<ApplicationRow> {
  return db.selectFrom('application').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Finds the application whose newest session has this hash of a link token. */
export function findApplicationByLink(db: Database, linkHash: Buffer): Promise<ApplicationRow | undefined> {
  return db.selectFrom('application').selectAll().where('linkHash', '=', linkHash).executeTakeFirst();
}

/** As {@link findApplicationByLink}, and locks the application until the transaction ends. */
export function lockApplicationByLink(trx: DatabaseTransaction, linkHash: Buffer): Promise<ApplicationRow | undefined> {
  return trx.selectFrom('application').selectAll().where('linkHash', '=', linkHash).forNoKeyUpdate().executeTakeFirst();
}

/** Records the progress of an application. */
export async function moveApplication(
  trx: DatabaseTransaction,
  id: string,
  change: {
    step: ProgressStep;
    startedAt?: Date;
    submittedAt?: Date;
    receiptNumber?: string;
    /** As JSON. */
    feeLines?: string;
  },
): Promise<void> {
  await trx.updateTable('application').set(change).where('id', '=', id).execute();
}

/** Records the states that the user chose. */
export async function updateStates(trx: DatabaseTransaction, id: string, states: StateCode[]): Promise<void> {
  await trx.updateTable('application').set({ states }).where('id', '=', id).execute();
}

/** Replaces the encrypted address to which codes of an application go. */
export async function saveProofEmail(
  trx: DatabaseTransaction,
  id: string,
  proofEmailEncrypted: string | null,
): Promise<void> {
  await trx.updateTable('application').set({ proofEmailEncrypted }).where('id', '=', id).execute();
}

/** Reads the states of an application with their statuses, by code. */
export function findApplicationStates(db: Database, applicationId: string): Promise<ApplicationStateRow[]> {
  return db
    .selectFrom('applicationState')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .orderBy('state')
    .execute();
}

/** The status that one department returned. */
export function findApplicationState(
  db: Database,
  applicationId: string,
  state: StateCode,
): Promise<ApplicationStateRow | undefined> {
  return db
    .selectFrom('applicationState')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where('state', '=', state)
    .executeTakeFirst();
}

/** Finds the request for action of a link. */
export function findStateByActionLink(db: Database, actionHash: Buffer): Promise<ApplicationStateRow | undefined> {
  return db.selectFrom('applicationState').selectAll().where('actionHash', '=', actionHash).executeTakeFirst();
}

/** Writes the first status of every state of a submitted application. */
export async function insertPendingStates(
  trx: DatabaseTransaction,
  application: Pick<ApplicationRow, 'id' | 'states'>,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('applicationState')
    .values(
      application.states.map((state) => ({
        applicationId: application.id,
        state,
        status: 'pending_review' as const,
        reason: null,
        actionHash: null,
        actionUrlOverride: null,
        issuedLicense: null,
        updatedAt: now,
      })),
    )
    .execute();
}

/** Writes the new status of a department. */
export async function updateApplicationState(
  trx: DatabaseTransaction,
  applicationId: string,
  state: StateCode,
  change: Pick<
    ApplicationStateRow,
    | 'status'
    | 'reason'
    | 'actionSerial'
    | 'actionHash'
    | 'actionUrlOverride'
    | 'actionFeeCents'
    | 'issuedLicense'
    | 'updatedAt'
  >,
): Promise<void> {
  const { issuedLicense, ...rest } = change;
  await trx
    .updateTable('applicationState')
    .set({ ...rest, issuedLicense: issuedLicense && JSON.stringify(issuedLicense) })
    .where('applicationId', '=', applicationId)
    .where('state', '=', state)
    .execute();
}

/** Finds the link of a request for action, open or answered: its hash, which is null when it is over. */
export async function findActionLink(
  db: Database,
  { applicationId, state, serial }: { applicationId: string; state: StateCode; serial: number },
): Promise<{ hash: Buffer | null; linkNumber: number }> {
  const current = await findApplicationState(db, applicationId, state);
  const linkNumber = current?.actionLinkNumber ?? 0;
  const answered = await db
    .selectFrom('applicationAction')
    .select('linkHash')
    .where('applicationId', '=', applicationId)
    .where('state', '=', state)
    .where('serial', '=', serial)
    .executeTakeFirst();
  if (answered !== undefined) return { hash: answered.linkHash, linkNumber };
  return { hash: current?.actionSerial === serial ? current.actionHash : null, linkNumber };
}

/**
 * Ends the links of the requests for action of an application: an open request gets the hash of
 * another link, and an answered one is found by none.
 *
 * @param hashOf The hash of the next link of a request.
 */
export async function replaceActionLinks(
  trx: DatabaseTransaction,
  applicationId: string,
  hashOf: (request: Pick<ApplicationStateRow, 'state' | 'actionSerial' | 'actionLinkNumber'>) => Buffer,
): Promise<void> {
  for (const row of await findApplicationStates(trx, applicationId)) {
    const { state, actionSerial } = row;
    const actionLinkNumber = row.actionLinkNumber + 1;
    const actionHash = row.actionHash && hashOf({ state, actionSerial, actionLinkNumber });
    await trx
      .updateTable('applicationState')
      .set({ actionLinkNumber, actionHash })
      .where('applicationId', '=', applicationId)
      .where('state', '=', state)
      .execute();
  }
  await trx
    .updateTable('applicationAction')
    .set({ linkHash: sql<Buffer>`sha256(convert_to(gen_random_uuid()::text, 'UTF8'))` })
    .where('applicationId', '=', applicationId)
    .execute();
}

/** Finds the answered request for action of a used link. */
export function findAnsweredAction(
  db: Database,
  linkHash: Buffer,
): Promise<{ applicationId: string; state: StateCode; serial: number } | undefined> {
  return db
    .selectFrom('applicationAction')
    .select(['applicationId', 'state', 'serial'])
    .where('linkHash', '=', linkHash)
    .executeTakeFirst();
}

/** Records that the time of a status has moved on, without another status. */
export async function touchApplicationState(
  trx: DatabaseTransaction,
  applicationId: string,
  state: StateCode,
  updatedAt: Date,
): Promise<void> {
  await trx
    .updateTable('applicationState')
    .set({ updatedAt })
    .where('applicationId', '=', applicationId)
    .where('state', '=', state)
    .execute();
}

/** Stores the user's answer to a department. */
export async function saveActionAnswer(
  trx: DatabaseTransaction,
  { applicationId, state, actionSerial }: ApplicationStateRow,
  answer: { linkHash: Buffer; answerEncrypted: string | null; answeredAt: Date },
): Promise<void> {
  await trx
    .insertInto('applicationAction')
    .values({ applicationId, state, serial: actionSerial, ...answer })
    .execute();
}

/** Deletes what expired at or before these times. */
export async function deleteExpired(
  db: Database,
  before: { tokens: Date; idempotencyKeys: Date; earlierSessions: Date; identityChecks: Date },
): Promise<void> {
  await db.deleteFrom('accessToken').where('expiresAt', '<=', before.tokens).execute();
  await db.deleteFrom('idempotencyKey').where('createdAt', '<=', before.idempotencyKeys).execute();
  await db.deleteFrom('earlierSession').where('expiresAt', '<=', before.earlierSessions).execute();
  await db.deleteFrom('identityCheck').where('expiresAt', '<=', before.identityChecks).execute();
}
