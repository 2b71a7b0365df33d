import type { NpnLookUp, NpnLookUpRequest } from '../../../contract/index.js';
import type { Owner } from '../../store/owner.js';
import type { BridgeContext } from '../context.js';
import { BridgeFailure } from '../failure.js';

/**
 * Finds the NPN of whoever has a last name and an SSN (operation 10).
 *
 * @throws BridgeFailure `no_match`, which does not say which of the two failed: an SSN could be confirmed by it.
 */
export async function lookUpNpn(
  context: BridgeContext,
  { mode }: Owner,
  { lastName, ssn }: NpnLookUpRequest,
): Promise<NpnLookUp> {
  const npn = await context.registry.findNpn(mode, lastName, ssn);
  if (npn === undefined) throw new BridgeFailure('no_match', 'lastName, ssn: expected those of one producer');
  return { message: 'A producer was found.', data: { npn } };
}
