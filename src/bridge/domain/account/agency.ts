import type { OnboardType } from '../../../contract/index.js';
import {
  deactivateAgencyRow,
  findAgencies,
  insertAgency,
  updateAgencyRow,
  type AgencyRow,
} from '../../store/accounts/agency-store.js';
import type { BridgeContext } from '../context.js';
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
  await insertAgency(context.db, row);
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
export async function deactivateAgency(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  agencyId: string,
): Promise<Agency | undefined> {
  const row = await deactivateAgencyRow(context.db, agencyId, context.clock());
  return row && describeAgency(row);
}

/** Activates an agency again: what was held when it was deactivated continues. Resolves with `undefined` when there is none. */
export async function activateAgency(
  context: Pick<BridgeContext, 'db'>,
  agencyId: string,
): Promise<Agency | undefined> {
  const row = await updateAgencyRow(context.db, agencyId, { deactivated_at: null });
  return row && describeAgency(row);
}

/** Changes the name or the onboard types of an agency. Resolves with `undefined` when there is none. */
export async function updateAgency(
  context: Pick<BridgeContext, 'db'>,
  agencyId: string,
  { name, onboardTypes }: { name?: string | undefined; onboardTypes?: readonly OnboardType[] | undefined },
): Promise<Agency | undefined> {
  const row = await updateAgencyRow(context.db, agencyId, {
    ...(name === undefined ? {} : { name }),
    ...(onboardTypes === undefined ? {} : { onboard_types: [...onboardTypes] }),
  });
  return row && describeAgency(row);
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
