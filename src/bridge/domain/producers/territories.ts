import {
  type AssignedProducer,
  maxNpnsPerRequest,
  type TerritoriesQuery,
  type Territory,
  type TerritoryAssignment,
  type TerritoryList,
  type TerritoryUnassignment,
} from '../../../contract/index.js';
import type { ProducerName } from '../../ports/producer-registry.js';
import { findAgency, lockAgency } from '../../store/accounts/agency-store.js';
import type { Owner } from '../../store/owner.js';
import {
  countTerritories,
  deleteAssignment,
  findAssignedNpns,
  findTerritories,
  findTerritoryName,
  insertAssignment,
  type TerritoryRow,
  upsertTerritory,
} from '../../store/producers/territory-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import {
  actorOfContext,
  type AuditedContext,
  recordAudit,
  recordAudits,
  requestedBy,
  type Requester,
} from '../audit/audit.js';
import { ApiError } from '../errors/api-error.js';
import type { BridgeContext } from '../context.js';
import { randomId } from '../keys/keys.js';

/**
 * Assigns a territory to a producer, in addition to existing ones (operation 14). Idempotent.
 *
 * @throws ApiError `unknown_territory` or `not_onboarded`.
 */
export async function assignTerritory(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  caller: Requester,
  npn: string,
  territoryId: string,
): Promise<TerritoryAssignment> {
  // Territories are never removed, so it still exists in the next statement.
  const territoryName = await findTerritoryName(context.db, caller.agencyId, territoryId);
  if (territoryName === undefined) {
    throw new ApiError('unknown_territory', 'territoryId: expected the id of a territory of the agency');
  }
  const assignedAt = await inTransaction(context.db, async (trx) => {
    const since = await insertAssignment(trx, caller, npn, territoryId, context.clock());
    if (since !== undefined) await recordAssignment(trx, context, caller, 'territory.assigned', npn, territoryId);
    return since;
  });
  if (assignedAt === undefined) {
    throw new ApiError('not_onboarded', 'npn: expected a producer that the agency has onboarded in this mode');
  }
  const data = { assignedAt: assignedAt.toISOString(), npn, territoryId, territoryName };
  return { message: 'The territory is assigned to the producer.', data };
}

/**
 * Removes a territory from a producer (operation 15).
 *
 * @throws ApiError `not_assigned`.
 */
export async function unassignTerritory(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  caller: Requester,
  npn: string,
  territoryId: string,
): Promise<TerritoryUnassignment> {
  const wasAssigned = await inTransaction(context.db, async (trx) => {
    const isDeleted = await deleteAssignment(trx, caller, npn, territoryId);
    if (isDeleted) await recordAssignment(trx, context, caller, 'territory.unassigned', npn, territoryId);
    return isDeleted;
  });
  if (!wasAssigned) {
    throw new ApiError('not_assigned', 'territoryId: expected a territory that is assigned to this producer');
  }
  const data = { npn, territoryId, unassignedAt: context.clock().toISOString() };
  return { message: 'The territory is no longer assigned to the producer.', data };
}

function recordAssignment(
  trx: DatabaseTransaction,
  context: Pick<BridgeContext, 'clock'>,
  caller: Requester,
  action: 'territory.assigned' | 'territory.unassigned',
  npn: string,
  territoryId: string,
): Promise<void> {
  const subject = `npn:${npn}/${territoryId}`;
  return recordAudit(trx, context, { ...requestedBy(caller), action, subject, result: 'done' });
}

/** Reads a page of an agency's territories with their producers (operation 16). */
export async function listTerritories(
  context: Pick<BridgeContext, 'db' | 'registry'>,
  owner: Owner,
  { page, pageSize }: Required<TerritoriesQuery>,
): Promise<TerritoryList> {
  const { db } = context;
  const totalCount = await countTerritories(db, owner.agencyId);
  const slice = { offset: (page - 1) * pageSize, limit: pageSize };
  const rows = await findTerritories(db, owner.agencyId, slice);
  const npns = await findAssignedNpns(
    db,
    owner,
    rows.map(({ id }) => id),
  );
  const names = await findAllNames(context, owner, [...npns.values()].flat());
  const territories = rows.map(({ id, name, states }) => {
    const assignedProducers = (npns.get(id) ?? []).map((npn) => describeProducer(npn, names.get(npn)));
    return { id, name, states, assignedProducers };
  });
  const data = {
    currentPage: page,
    pageSize,
    totalCount,
    hasNextPage: slice.offset + pageSize < totalCount,
    hasPreviousPage: page > 1,
    territories,
  };
  return { message: messageOf(rows.length, totalCount), data };
}

/** Names are read in batches of the registry's maximum size. */
async function findAllNames(
  { registry }: Pick<BridgeContext, 'registry'>,
  { mode }: Owner,
  npns: readonly string[],
): Promise<Map<string, ProducerName>> {
  const distinct = [...new Set(npns)];
  const names = new Map<string, ProducerName>();
  for (let start = 0; start < distinct.length; start += maxNpnsPerRequest) {
    const some = await registry.findNames(mode, distinct.slice(start, start + maxNpnsPerRequest));
    for (const [npn, name] of some) names.set(npn, name);
  }
  return names;
}

/** A producer who was removed from the registry is still assigned. */
function describeProducer(npn: string, name: ProducerName | undefined): AssignedProducer {
  return { firstName: name?.firstName ?? '', lastName: name?.lastName ?? '', npn };
}

function messageOf(count: number, totalCount: number): string {
  if (totalCount === 0) return 'The agency has no territories.';
  if (count === 0) return 'There are no territories on this page.';
  return `This page has ${count} of ${totalCount} ${totalCount === 1 ? 'territory' : 'territories'}.`;
}

/** A territory in the operator's file. */
export type DescribedTerritory = Pick<Territory, 'name' | 'states'>;

/** The result for a territory of the file. */
export interface ImportedTerritory {
  /** `ter_…` */
  id: string;
  name: string;
  /** Whether it was created. */
  isNew: boolean;
}

/**
 * Writes territories of an agency, all or none. A territory with an existing name keeps its id and
 * assignments and gets the new states; territories that are not in the file stay unchanged.
 * Resolves with `undefined` when there is no such agency.
 */
export async function importTerritories(
  context: AuditedContext,
  agencyId: string,
  territories: readonly DescribedTerritory[],
): Promise<ImportedTerritory[] | undefined> {
  return inTransaction(context.db, async (trx) => {
    // One import at a time: two imports with the same territories in different order would
    // deadlock.
    if ((await lockAgency(trx, agencyId)) === undefined) return undefined;
    const now = context.clock();
    const imported: ImportedTerritory[] = [];
    for (const { name, states } of territories) {
      const newId = randomId('ter');
      const id = await upsertTerritory(trx, { id: newId, agencyId, name, states }, now);
      imported.push({ id, name, isNew: id === newId });
    }
    const entry = { agencyId, actor: actorOfContext(context), action: 'territory.imported' } as const;
    await recordAudits(
      trx,
      context,
      imported.map(({ id, isNew }) => ({ ...entry, subject: id, result: isNew ? 'created' : 'updated' })),
    );
    return imported;
  });
}

/**
 * Reads all territories of an agency, in order. Resolves with `undefined` when there is no such
 * agency.
 */
export async function readTerritories(
  context: Pick<BridgeContext, 'db'>,
  agencyId: string,
): Promise<TerritoryRow[] | undefined> {
  if ((await findAgency(context.db, agencyId)) === undefined) return undefined;
  return findTerritories(context.db, agencyId);
}
