import type { ProgressStep, StateCode } from '../../../contract/index.js';
import { ownedBy, type Owner } from '../owner.js';
import { statement } from '../statement.js';
import type { ApplicationRow, ApplicationStateRow } from '../tables/tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** An application by its id, if it is the owner's. */
export function findApplication(db: Database, owner: Owner, id: string): Promise<ApplicationRow | undefined> {
  return db
    .selectFrom('application')
    .selectAll()
    .where('id', '=', id)
    .where(ownedBy(owner, 'application'))
    .executeTakeFirst();
}

/** An application with its states, in no order; without any before it is submitted. */
export interface ApplicationWithStates {
  application: ReadApplicationRow;
  states: ApplicationStateRow[];
}

/** What operation 19 shows of an application. */
export type ReadApplicationRow = Pick<ApplicationRow, (typeof readColumns)[number]>;

const readColumns = [
  'id',
  'session_id',
  'user_id',
  'application_type',
  'license_type',
  'states',
  'payment_method',
  'step',
  'submitted_at',
] as const;

/** As {@link findApplication}, with what the departments said. One query: it is the one that partners ask most. */
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
    .leftJoin('application_state', 'application_state.application_id', 'application.id')
    .select(readColumns)
    .select([
      'application_id',
      'state',
      'status',
      'reason',
      'action_serial',
      'action_hash',
      'action_url_override',
      'updated_at',
    ])
    .where('id', '=', given.id)
    .where(ownedBy(given, 'application'))
    .$castTo<ReadApplicationRow & (ApplicationStateRow | { state: null })>(),
);

/**
 * Locks an application until the transaction ends; any owner's when none is given. Not `for update`: that would also keep rows
 * that refer to it from being written, which is how deadlocks are made.
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

/** The application whose newest session has a link, by the hash of its token. */
export function findApplicationByLink(db: Database, linkHash: Buffer): Promise<ApplicationRow | undefined> {
  return db.selectFrom('application').selectAll().where('link_hash', '=', linkHash).executeTakeFirst();
}

/** As {@link findApplicationByLink}, and nobody else changes it until the transaction ends. */
export function lockApplicationByLink(trx: DatabaseTransaction, linkHash: Buffer): Promise<ApplicationRow | undefined> {
  return trx
    .selectFrom('application')
    .selectAll()
    .where('link_hash', '=', linkHash)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Notes that an application moved on. */
export async function moveApplication(
  trx: DatabaseTransaction,
  id: string,
  change: {
    step: ProgressStep;
    started_at?: Date;
    submitted_at?: Date;
    receipt_number?: string;
    /** As JSON. */
    fee_lines?: string;
  },
): Promise<void> {
  await trx.updateTable('application').set(change).where('id', '=', id).execute();
}

/** The states of an application with what their departments said, by code. */
export function findApplicationStates(db: Database, applicationId: string): Promise<ApplicationStateRow[]> {
  return db
    .selectFrom('application_state')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('state')
    .execute();
}

/** What one department said. */
export function findApplicationState(
  db: Database,
  applicationId: string,
  state: StateCode,
): Promise<ApplicationStateRow | undefined> {
  return db
    .selectFrom('application_state')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('state', '=', state)
    .executeTakeFirst();
}

/** The request for action behind a link. */
export function findStateByActionLink(db: Database, actionHash: Buffer): Promise<ApplicationStateRow | undefined> {
  return db.selectFrom('application_state').selectAll().where('action_hash', '=', actionHash).executeTakeFirst();
}

/** Gives every state of a submitted application its first status. */
export async function insertPendingStates(
  trx: DatabaseTransaction,
  application: Pick<ApplicationRow, 'id' | 'states'>,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('application_state')
    .values(
      application.states.map((state) => ({
        application_id: application.id,
        state,
        status: 'pending_review' as const,
        reason: null,
        action_hash: null,
        action_url_override: null,
        updated_at: now,
      })),
    )
    .execute();
}

/** Writes what a department said now. */
export async function updateApplicationState(
  trx: DatabaseTransaction,
  applicationId: string,
  state: StateCode,
  change: Pick<
    ApplicationStateRow,
    'status' | 'reason' | 'action_serial' | 'action_hash' | 'action_url_override' | 'updated_at'
  >,
): Promise<void> {
  await trx
    .updateTable('application_state')
    .set(change)
    .where('application_id', '=', applicationId)
    .where('state', '=', state)
    .execute();
}

/** The request for action that a used link once opened. */
export function findAnsweredAction(
  db: Database,
  linkHash: Buffer,
): Promise<{ application_id: string; state: StateCode } | undefined> {
  return db
    .selectFrom('application_action')
    .select(['application_id', 'state'])
    .where('link_hash', '=', linkHash)
    .executeTakeFirst();
}

/** Keeps what the user answered to a department. */
export async function saveActionAnswer(
  trx: DatabaseTransaction,
  action: { state: ApplicationStateRow; linkHash: Buffer; answerSealed: string; answeredAt: Date },
): Promise<void> {
  await trx
    .insertInto('application_action')
    .values({
      application_id: action.state.application_id,
      state: action.state.state,
      serial: action.state.action_serial,
      link_hash: action.linkHash,
      answer_sealed: action.answerSealed,
      answered_at: action.answeredAt,
    })
    .execute();
}

/** Deletes what ran out at these moments or before. */
export async function deleteExpired(
  db: Database,
  before: { tokens: Date; idempotencyKeys: Date; earlierSessions: Date; identityChecks: Date },
): Promise<void> {
  await db.deleteFrom('access_token').where('expires_at', '<=', before.tokens).execute();
  await db.deleteFrom('idempotency_key').where('created_at', '<=', before.idempotencyKeys).execute();
  await db.deleteFrom('earlier_session').where('expires_at', '<=', before.earlierSessions).execute();
  await db.deleteFrom('identity_check').where('expires_at', '<=', before.identityChecks).execute();
}
