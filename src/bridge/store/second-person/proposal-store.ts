import type { Selectable } from 'kysely';
import { applicationInScope, type Scope } from '../scope.js';
import type { ProposalTable } from '../tables/operator-tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `proposal` as it is read. */
export type ProposalRow = Selectable<ProposalTable>;

/** The subject of a proposal; it has at most one of a kind. */
export type ProposalKey = Pick<ProposalRow, 'applicationId' | 'kind' | 'state'>;

/** Stores a proposal. Resolves with `false` when its subject has one. */
export async function insertProposal(trx: DatabaseTransaction, proposal: ProposalRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('proposal')
    .values({ ...proposal, content: JSON.stringify(proposal.content) })
    .onConflict((conflict) => conflict.columns(['applicationId', 'kind', 'state']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** The proposal of a subject. */
export function findProposal(
  db: Database,
  { applicationId, kind, state }: ProposalKey,
): Promise<ProposalRow | undefined> {
  return db
    .selectFrom('proposal')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where('kind', '=', kind)
    .where('state', '=', state)
    .executeTakeFirst();
}

/** Deletes the proposal of a subject. Resolves with `false` when there is none. */
export async function deleteProposal(
  trx: DatabaseTransaction,
  { applicationId, kind, state }: ProposalKey,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('proposal')
    .where('applicationId', '=', applicationId)
    .where('kind', '=', kind)
    .where('state', '=', state)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** The proposals that wait, oldest first. */
export function findProposals(db: Database, scope: Scope, limit: number): Promise<ProposalRow[]> {
  return db
    .selectFrom('proposal')
    .selectAll()
    .where(applicationInScope(scope, 'proposal.applicationId'))
    .orderBy('proposedAt')
    .orderBy('applicationId')
    .orderBy('kind')
    .orderBy('state')
    .limit(limit)
    .execute();
}
