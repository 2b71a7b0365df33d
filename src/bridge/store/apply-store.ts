import type { Selectable } from 'kysely';
import type { ApplicationStep, ProgressStep, StateCode } from '../../contract/index.js';
import type { Database, DatabaseTransaction } from '../domain/context.js';
import type { ApplicantTable, ApplicationRow, ApplicationStateRow, ApplicationStepTable } from './tables.js';

/** A row of `application_step` as it is read. */
export type ApplicationStepRow = Selectable<ApplicationStepTable>;
/** A row of `applicant` as it is read. */
export type ApplicantRow = Selectable<ApplicantTable>;

/** The application behind a link, by the hash of its token. */
export function findApplicationByLink(db: Database, linkHash: Buffer): Promise<ApplicationRow | undefined> {
  return db.selectFrom('application').selectAll().where('link_hash', '=', linkHash).executeTakeFirst();
}

/** As {@link findApplicationByLink}, and nobody else changes it until the transaction ends. */
export function lockApplicationByLink(trx: DatabaseTransaction, linkHash: Buffer): Promise<ApplicationRow | undefined> {
  return trx.selectFrom('application').selectAll().where('link_hash', '=', linkHash).forNoKeyUpdate().executeTakeFirst();
}

/** Locks an application by its id until the transaction ends. */
export function lockApplication(trx: DatabaseTransaction, id: string): Promise<ApplicationRow> {
  return trx.selectFrom('application').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

/** The name of an agency, as the user may see it. */
export async function findAgencyName(db: Database, agencyId: string): Promise<string> {
  const { name } = await db.selectFrom('agency').select('name').where('id', '=', agencyId).executeTakeFirstOrThrow();
  return name;
}

/** Notes that an application moved on. */
export async function moveApplication(
  trx: DatabaseTransaction,
  id: string,
  change: { step: ProgressStep; started_at?: Date; submitted_at?: Date },
): Promise<void> {
  await trx.updateTable('application').set(change).where('id', '=', id).execute();
}

/** Everything saved for an application, one row a step. */
export function findSteps(db: Database, applicationId: string): Promise<ApplicationStepRow[]> {
  return db.selectFrom('application_step').selectAll().where('application_id', '=', applicationId).execute();
}

/** What is saved in one step. `sealed` null keeps what is sealed already; `completedAt` null keeps a step complete. */
export async function saveStep(
  trx: DatabaseTransaction,
  step: {
    applicationId: string;
    step: ApplicationStep;
    data: Record<string, unknown>;
    sealed: string | null;
    savedAt: Date;
    completedAt: Date | null;
  },
): Promise<void> {
  const data = JSON.stringify(step.data);
  await trx
    .insertInto('application_step')
    .values({
      application_id: step.applicationId,
      step: step.step,
      data,
      sealed: step.sealed,
      saved_at: step.savedAt,
      completed_at: step.completedAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['application_id', 'step']).doUpdateSet((eb) => ({
        data,
        saved_at: step.savedAt,
        sealed: eb.fn.coalesce('excluded.sealed', 'application_step.sealed'),
        completed_at: eb.fn.coalesce('application_step.completed_at', 'excluded.completed_at'),
      })),
    )
    .execute();
}

/** The partner's user of an application. */
export function findApplicant(db: Database, application: ApplicationRow): Promise<ApplicantRow> {
  return db
    .selectFrom('applicant')
    .selectAll()
    .where('agency_id', '=', application.agency_id)
    .where('mode', '=', application.mode)
    .where('user_id', '=', application.user_id)
    .executeTakeFirstOrThrow();
}

/** Keeps for the user's next application what this one brought. */
export async function rememberApplicant(
  trx: DatabaseTransaction,
  application: ApplicationRow,
  change: { ssn_sealed: string; answers_submitted_at: Date },
): Promise<void> {
  await trx
    .updateTable('applicant')
    .set(change)
    .where('agency_id', '=', application.agency_id)
    .where('mode', '=', application.mode)
    .where('user_id', '=', application.user_id)
    .execute();
}

/** The sealed answers of the same user's newest application submitted since a day, if there is one. */
export function findEarlierAnswers(
  db: Database,
  application: ApplicationRow,
  since: Date,
): Promise<{ application_id: string; sealed: string | null; submitted_at: Date | null } | undefined> {
  return db
    .selectFrom('application')
    .innerJoin('application_step', 'application_step.application_id', 'application.id')
    .select(['application.id as application_id', 'application_step.sealed', 'application.submitted_at'])
    .where('application.agency_id', '=', application.agency_id)
    .where('application.mode', '=', application.mode)
    .where('application.user_id', '=', application.user_id)
    .where('application.submitted_at', '>=', since)
    .where('application_step.step', '=', 'background')
    .where('application_step.sealed', 'is not', null)
    .orderBy('application.submitted_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The states of an application with what their departments said. */
export function findStates(db: Database, applicationId: string): Promise<ApplicationStateRow[]> {
  return db
    .selectFrom('application_state')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('state')
    .execute();
}

/** The request for action behind a link. */
export function findStateByActionLink(db: Database, actionHash: Buffer): Promise<ApplicationStateRow | undefined> {
  return db.selectFrom('application_state').selectAll().where('action_hash', '=', actionHash).executeTakeFirst();
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

/** An application by its id. */
export function findApplicationById(db: Database, id: string): Promise<ApplicationRow> {
  return db.selectFrom('application').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
