/*
 * Two operators for one change (`BRIDGE_SECOND_PERSON`):
 *
 * 1. One operator proposes it. Nothing but the proposal is stored.
 * 2. Another one reads it, with what is stored now, and confirms it: the change is made in the
 *    transaction that deletes the proposal. The proposer cannot confirm it.
 * 3. Or an operator withdraws it.
 *
 * Each of them has an entry in the audit trail, about the same subject as the change.
 */
import {
  deleteProposal,
  findProposal,
  findProposals,
  insertProposal,
  type ProposalKey,
  type ProposalRow,
} from '../../store/second-person/proposal-store.js';
import type { Scope } from '../../store/scope.js';
import type { ProposedCorrection, ProposedRefund } from '../../store/tables/operator-tables.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { type AuditActor, recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { lockApplication } from '../applications/lock-application.js';
import { ApiError } from '../errors/api-error.js';
import { ChangedSinceShownError } from '../shown/shown.js';

/** A proposed correction of the decision of a state. */
export type CorrectionProposal = ProposalRow & { kind: 'correction'; content: ProposedCorrection };
/** A proposed refund. */
export type RefundProposal = ProposalRow & { kind: 'refund'; content: ProposedRefund };
/** A change that waits for a second operator. */
export type Proposal = CorrectionProposal | RefundProposal;

/**
 * Stores a proposal.
 *
 * @param assertCurrent Asserts that the proposer read what is stored now. Called under the lock of
 *   the application.
 * @throws ApiError `unknown_application`.
 * @throws ChangedSinceShownError when another one waits already.
 */
export async function propose(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  proposal: Omit<CorrectionProposal, 'proposedBy' | 'proposedAt'> | Omit<RefundProposal, 'proposedBy' | 'proposedAt'>,
  actor: AuditActor,
  assertCurrent: (trx: DatabaseTransaction) => Promise<void>,
): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const application = await lockApplication(trx, proposal.applicationId);
    await assertCurrent(trx);
    const row = { ...proposal, proposedBy: actor, proposedAt: context.clock() };
    if (!(await insertProposal(trx, row))) throw new ChangedSinceShownError('Another proposal waits.');
    await audit(context, trx, application, row, actor, 'proposed');
  });
}

/**
 * Withdraws a proposal: by its proposer, or by another operator who does not confirm it.
 *
 * @throws ApiError `unknown_application`, or `invalid_transition` when there is none.
 */
export async function withdraw(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  key: ProposalKey,
  actor: AuditActor,
): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const application = await lockApplication(trx, key.applicationId);
    const proposal = await findProposal(trx, key);
    if (proposal === undefined) throw noProposal();
    await deleteProposal(trx, key);
    await audit(context, trx, application, proposal as Proposal, actor, 'withdrawn');
  });
}

/**
 * Takes a proposal that another operator confirms: it is deleted when the transaction, which makes the
 * change, commits. Call it under the lock of the application.
 *
 * @throws ApiError `invalid_transition` when there is none, or it is the operator's own.
 */
export async function takeProposal<Kind extends Proposal['kind']>(
  trx: DatabaseTransaction,
  key: ProposalKey & { kind: Kind },
  actor: AuditActor,
): Promise<Extract<Proposal, { kind: Kind }>> {
  const proposal = await findProposal(trx, key);
  if (proposal === undefined) throw noProposal();
  if (proposal.proposedBy === actor) {
    throw new ApiError('invalid_transition', 'proposal: another operator has to confirm it');
  }
  await deleteProposal(trx, key);
  return proposal as Extract<Proposal, { kind: Kind }>;
}

/** Reads the proposal of a subject; `undefined` when there is none. */
export async function readProposal<Kind extends Proposal['kind']>(
  { db }: Pick<BridgeContext, 'db'>,
  key: ProposalKey & { kind: Kind },
): Promise<Extract<Proposal, { kind: Kind }> | undefined> {
  return (await findProposal(db, key)) as Extract<Proposal, { kind: Kind }> | undefined;
}

/** More than wait at any time. */
const maxListed = 100;

/** The proposals of a scope that wait, oldest first. */
export async function listProposals({ db }: Pick<BridgeContext, 'db'>, scope: Scope): Promise<Proposal[]> {
  return (await findProposals(db, scope, maxListed)) as Proposal[];
}

/** The part of a proposal that a confirming operator has read, for a committing form. */
export function proposalContent({ content, proposedBy, proposedAt }: Proposal) {
  return { content, proposedBy, proposedAt };
}

function noProposal(): ApiError {
  return new ApiError('invalid_transition', 'proposal: it was confirmed or withdrawn');
}

function audit(
  context: Pick<BridgeContext, 'clock'>,
  trx: DatabaseTransaction,
  { agencyId, mode }: ApplicationRow,
  proposal: Proposal,
  actor: AuditActor,
  step: 'proposed' | 'withdrawn',
): Promise<void> {
  const { applicationId, content } = proposal;
  const about =
    proposal.kind === 'correction'
      ? { subject: `${applicationId}/${proposal.state}`, result: proposal.content.status }
      : { subject: `${applicationId}/${proposal.content.refundId}`, result: String(proposal.content.amountCents) };
  const action = `${proposal.kind}.${step}` as const;
  return recordAudit(trx, context, { agencyId, mode, actor, action, ...about, note: content.note });
}
