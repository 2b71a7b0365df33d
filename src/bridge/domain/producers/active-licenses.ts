import type { ActiveLicense, ActiveLicenses, StateCode } from '../../../contract/index.js';
import { findOnboardedNpns } from '../../store/producers/onboarding-store.js';
import type { Owner } from '../../store/owner.js';
import type { BridgeContext } from '../context.js';
import type { Database } from '../../store/tables/typed-database.js';

/** As many NPNs as the registry takes at once. */
const maxNpnsAtOnce = 10_000;

/**
 * The active licenses of the producers that an agency onboarded, one record a state in the order of the request (operation 9).
 * Each record is ordered by NPN and number.
 */
export async function listActiveLicenses(
  context: Pick<BridgeContext, 'db' | 'registry'>,
  owner: Owner,
  states: readonly StateCode[],
): Promise<ActiveLicenses[]> {
  const byState = new Map<StateCode, ActiveLicense[]>(states.map((state) => [state, []]));
  for await (const npns of onboardedNpns(context.db, owner)) {
    for (const { state, ...license } of await context.registry.findActiveLicenses(owner.mode, npns, states)) {
      byState.get(state)?.push(license);
    }
  }
  return [...byState].map(([state, licenseInfo]) => ({ state, licenseInfo }));
}

async function* onboardedNpns(db: Database, owner: Owner): AsyncGenerator<string[]> {
  let npns: string[] = [];
  do {
    npns = await findOnboardedNpns(db, owner, npns.at(-1), maxNpnsAtOnce);
    if (npns.length > 0) yield npns;
  } while (npns.length === maxNpnsAtOnce);
}
