import type { StateCode } from '../../../contract/index.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { ApplicationStateRow } from '../tables/tables.js';

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
