import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { IdentityCheckTable } from '../tables/session-tables.js';

/** What a session has proved so far. */
export type IdentityCheckRow = Pick<Selectable<IdentityCheckTable>, 'failed_count' | 'passed_at'>;

/** What a session has proved so far; `undefined` when nothing was typed in it. */
export function findIdentityCheck(db: Database, sessionId: string): Promise<IdentityCheckRow | undefined> {
  return db
    .selectFrom('identity_check')
    .select(['failed_count', 'passed_at'])
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
}

/** Notes what a session has proved. The caller holds the application's row, so that no wrong try goes uncounted. */
export async function saveIdentityCheck(
  trx: DatabaseTransaction,
  check: IdentityCheckRow & Pick<Selectable<IdentityCheckTable>, 'session_id' | 'application_id' | 'expires_at'>,
): Promise<void> {
  const { failed_count, passed_at } = check;
  await trx
    .insertInto('identity_check')
    .values(check)
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ failed_count, passed_at }))
    .execute();
}

/** Another SSN was typed: what the application's other sessions proved was about the one before. */
export async function forgetOtherChecks(
  trx: DatabaseTransaction,
  applicationId: string,
  sessionId: string,
): Promise<void> {
  await trx
    .updateTable('identity_check')
    .set({ passed_at: null })
    .where('application_id', '=', applicationId)
    .where('session_id', '<>', sessionId)
    .execute();
}
