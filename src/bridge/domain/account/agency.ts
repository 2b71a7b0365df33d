import type { OnboardType } from '../../../contract/index.js';
import {
  deactivateAgencyRow,
  findAgencies,
  insertAgency,
  updateAgencyRow,
  type AgencyRow,
} from '../../store/accounts/agency-store.js';
import { recordAudit, type AuditAction } from '../audit.js';
import type { BridgeContext } from '../context.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { randomId } from '../keys/keys.js';

/** An agency, as the operator sees it. */
export interface Agency {
  /** Keep it private until the first credential is issued: until then, it issues one (operation 3). */
  agencyId: string;
  name: string;
  onboardTypes: string[];
  createdAt: string;
  /** "" while active. */
  deactivatedAt: string;
}

/** Makes an agency. */
export async function createAgency(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  name: string,
  types: readonly OnboardType[] = ['lookup', 'subscribe'],
): Promise<Agency> {
  const row = { id: randomId('agc'), name, onboard_types: [...types], created_at: context.clock() };
  await changeAgency(context, row.id, 'agency.created', async (trx) => {
    await insertAgency(trx, row);
    return { ...row, deactivated_at: null };
  });
  return describeAgency({ ...row, deactivated_at: null });
}

/** All agencies, the oldest first. */
export async function listAgencies(context: Pick<BridgeContext, 'db'>): Promise<Agency[]> {
  return (await findAgencies(context.db)).map(describeAgency);
}

/**
 * Deactivates an agency: logins and tokens are refused, its links no longer work, its bulk onboardings pause and its webhooks
 * are held. Resolves with `undefined` when there is none.
 */
export function deactivateAgency(context: AgencyContext, agencyId: string): Promise<Agency | undefined> {
  return changeAgency(context, agencyId, 'agency.deactivated', (trx) =>
    deactivateAgencyRow(trx, agencyId, context.clock()),
  );
}

/** Activates an agency again: what was held when it was deactivated continues. Resolves with `undefined` when there is none. */
export function activateAgency(context: AgencyContext, agencyId: string): Promise<Agency | undefined> {
  return changeAgency(context, agencyId, 'agency.activated', (trx) =>
    updateAgencyRow(trx, agencyId, { deactivated_at: null }),
  );
}

/** Changes the name or the onboard types of an agency. Resolves with `undefined` when there is none. */
export function updateAgency(
  context: AgencyContext,
  agencyId: string,
  { name, onboardTypes }: { name?: string | undefined; onboardTypes?: readonly OnboardType[] | undefined },
): Promise<Agency | undefined> {
  return changeAgency(context, agencyId, 'agency.updated', (trx) =>
    updateAgencyRow(trx, agencyId, {
      ...(name === undefined ? {} : { name }),
      ...(onboardTypes === undefined ? {} : { onboard_types: [...onboardTypes] }),
    }),
  );
}

type AgencyContext = Pick<BridgeContext, 'db' | 'clock'>;

/** Changes an agency and records it, both or neither. Resolves with `undefined` when there is none. */
function changeAgency(
  context: AgencyContext,
  agencyId: string,
  action: AuditAction,
  change: (trx: DatabaseTransaction) => Promise<AgencyRow | undefined>,
): Promise<Agency | undefined> {
  return context.db.transaction().execute(async (trx) => {
    const row = await change(trx);
    if (row === undefined) return undefined;
    await recordAudit(trx, context, { agencyId, actor: 'operator', action, subject: agencyId, result: 'done' });
    return describeAgency(row);
  });
}

function describeAgency(row: AgencyRow): Agency {
  return {
    agencyId: row.id,
    name: row.name,
    onboardTypes: row.onboard_types,
    createdAt: row.created_at.toISOString(),
    deactivatedAt: row.deactivated_at?.toISOString() ?? '',
  };
}
