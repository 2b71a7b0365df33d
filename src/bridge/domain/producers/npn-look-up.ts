import type { NpnLookUp, NpnLookUpRequest } from '../../../contract/index.js';
import type { Caller } from '../account/caller.js';
import { recordAudit } from '../audit.js';
import type { BridgeContext } from '../context.js';
import { BridgeFailure } from '../failure.js';

/**
 * Finds the NPN of whoever has a last name and an SSN (operation 10).
 *
 * @throws BridgeFailure `no_match`, which does not say which of the two failed: an SSN could be confirmed by it; or
 * `too_many_requests` after too many misses.
 */
export async function lookUpNpn(
  context: BridgeContext,
  { agencyId, mode, credentialId }: Caller,
  { lastName, ssn }: NpnLookUpRequest,
): Promise<NpnLookUp> {
  const { limiter, registry } = context;
  const agency = `${agencyId}:${mode}`;
  // One after the other: each counts as a miss until it is known to be a hit, and many hits at once must not add up.
  const npn = await context.takeTurn(`ssn-look-up:${agency}`, async () => {
    await limiter.take('ssnMisses', agency);
    const found = await registry.findNpn(mode, lastName, ssn);
    if (found !== undefined) await limiter.giveBack('ssnMisses', agency);
    return found;
  });
  await recordAudit(context.db, context, {
    agencyId,
    mode,
    actor: `credential:${credentialId}`,
    action: 'ssn.look_up',
    subject: npn === undefined ? '' : `npn:${npn}`,
    result: npn === undefined ? 'miss' : 'hit',
  });
  if (npn === undefined) throw new BridgeFailure('no_match', 'lastName, ssn: expected those of one producer');
  return { message: 'A producer was found.', data: { npn } };
}
