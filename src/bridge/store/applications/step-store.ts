import type { Selectable } from 'kysely';
import type { ApplicationStep } from '../../../contract/index.js';
import type { ApplicationRow, ApplicationStepTable } from '../tables/tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `application_step` as it is read. */
export type ApplicationStepRow = Selectable<ApplicationStepTable>;

/** Reads the saved steps of an application, one row per step. */
export function findSteps(db: Database, applicationId: string): Promise<ApplicationStepRow[]> {
  return db.selectFrom('application_step').selectAll().where('application_id', '=', applicationId).execute();
}

/**
 * The data of one step. `encrypted` null keeps the encrypted data; `completedAt` null keeps the time
 * of completion.
 */
export async function saveStep(
  trx: DatabaseTransaction,
  step: {
    applicationId: string;
    step: ApplicationStep;
    data: Record<string, unknown>;
    encrypted: string | null;
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
      encrypted: step.encrypted,
      saved_at: step.savedAt,
      completed_at: step.completedAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['application_id', 'step']).doUpdateSet((eb) => ({
        data,
        saved_at: step.savedAt,
        encrypted: eb.fn.coalesce('excluded.encrypted', 'application_step.encrypted'),
        completed_at: eb.fn.coalesce('application_step.completed_at', 'excluded.completed_at'),
      })),
    )
    .execute();
}

/** Deletes the data of some steps, as if they had never been answered. */
export async function deleteSteps(
  trx: DatabaseTransaction,
  applicationId: string,
  steps: ApplicationStep[],
): Promise<void> {
  await trx
    .deleteFrom('application_step')
    .where('application_id', '=', applicationId)
    .where('step', 'in', steps)
    .execute();
}

/**
 * Finds the encrypted answers of the same user's newest application that was submitted after a
 * time.
 */
export function findEarlierAnswers(
  db: Database,
  application: ApplicationRow,
  since: Date,
): Promise<
  (Pick<ApplicationStepRow, 'application_id' | 'encrypted' | 'data'> & { submitted_at: Date | null }) | undefined
> {
  return db
    .selectFrom('application')
    .innerJoin('application_step', 'application_step.application_id', 'application.id')
    .select([
      'application.id as application_id',
      'application_step.encrypted',
      'application_step.data',
      'application.submitted_at',
    ])
    .where('application.agency_id', '=', application.agency_id)
    .where('application.mode', '=', application.mode)
    .where('application.user_id', '=', application.user_id)
    .where('application.submitted_at', '>=', since)
    .where('application_step.step', '=', 'background')
    .where('application_step.encrypted', 'is not', null)
    .orderBy('application.submitted_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}
