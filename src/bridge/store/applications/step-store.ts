import type { Selectable } from 'kysely';
import type { ApplicationStep, Mode, StateCode } from '../../../contract/index.js';
import { ownedBy } from '../owner.js';
import type { ApplicationRow, ApplicationStepTable } from '../tables/tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `application_step` as it is read. */
export type ApplicationStepRow = Selectable<ApplicationStepTable>;

/** Reads the saved steps of an application, one row per step. */
export function findSteps(db: Database, applicationId: string): Promise<ApplicationStepRow[]> {
  return db.selectFrom('applicationStep').selectAll().where('applicationId', '=', applicationId).execute();
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
    /** Null keeps the stored ones. */
    searchHashes: string[] | null;
    savedAt: Date;
    completedAt: Date | null;
  },
): Promise<void> {
  const data = JSON.stringify(step.data);
  await trx
    .insertInto('applicationStep')
    .values({ ...step, data })
    .onConflict((conflict) =>
      conflict.columns(['applicationId', 'step']).doUpdateSet((eb) => ({
        data,
        savedAt: step.savedAt,
        encrypted: eb.fn.coalesce('excluded.encrypted', 'applicationStep.encrypted'),
        searchHashes: eb.fn.coalesce('excluded.searchHashes', 'applicationStep.searchHashes'),
        completedAt: eb.fn.coalesce('applicationStep.completedAt', 'excluded.completedAt'),
      })),
    )
    .execute();
}

/** The encrypted profile of an application, with what its list needs besides. */
export interface ProfileStepRow {
  applicationId: string;
  mode: Mode;
  encrypted: string;
  states: StateCode[];
  catalogueVersion: string;
  receiptNumber: string | null;
}

/** Reads the profiles of some applications. Those without one are missing. */
export async function findProfileSteps(db: Database, applicationIds: readonly string[]): Promise<ProfileStepRow[]> {
  if (applicationIds.length === 0) return [];
  return db
    .selectFrom('applicationStep')
    .innerJoin('application', 'application.id', 'applicationStep.applicationId')
    .select(['applicationId', 'mode', 'encrypted', 'states', 'catalogueVersion', 'receiptNumber'])
    .where('applicationId', 'in', applicationIds)
    .where('applicationStep.step', '=', 'profile')
    .where('encrypted', 'is not', null)
    .$narrowType<{ encrypted: string }>()
    .execute();
}

/** Finds the profile of the same user's newest other application whose profile is complete. */
export async function findEarlierProfile(
  db: Database,
  application: ApplicationRow,
): Promise<{ applicationId: string; encrypted: string } | undefined> {
  return db
    .selectFrom('application')
    .innerJoin('applicationStep', 'applicationStep.applicationId', 'application.id')
    .select(['applicationId', 'encrypted'])
    .where(ownedBy(application, 'application'))
    .where('application.userId', '=', application.userId)
    .where('application.id', '<>', application.id)
    .where('application.erasedAt', 'is', null)
    .where('applicationStep.step', '=', 'profile')
    .where('applicationStep.completedAt', 'is not', null)
    .where('encrypted', 'is not', null)
    .$narrowType<{ encrypted: string }>()
    .orderBy('application.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Deletes the data of some steps, as if they had never been answered. */
export async function deleteSteps(
  trx: DatabaseTransaction,
  applicationId: string,
  steps: ApplicationStep[],
): Promise<void> {
  await trx
    .deleteFrom('applicationStep')
    .where('applicationId', '=', applicationId)
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
  (Pick<ApplicationStepRow, 'applicationId' | 'encrypted' | 'data'> & { submittedAt: Date | null }) | undefined
> {
  return db
    .selectFrom('application')
    .innerJoin('applicationStep', 'applicationStep.applicationId', 'application.id')
    .select([
      'application.id as applicationId',
      'applicationStep.encrypted',
      'applicationStep.data',
      'application.submittedAt',
    ])
    .where('application.agencyId', '=', application.agencyId)
    .where('application.mode', '=', application.mode)
    .where('application.userId', '=', application.userId)
    .where('application.submittedAt', '>=', since)
    .where('applicationStep.step', '=', 'background')
    .where('applicationStep.encrypted', 'is not', null)
    .orderBy('application.submittedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}
