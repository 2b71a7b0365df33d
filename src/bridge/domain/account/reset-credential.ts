import type { CredentialReset } from '../../../contract/index.js';
import { lockAgency } from '../../store/accounts/agency-store.js';
import { endTokens, replaceSecrets } from '../../store/accounts/credential-store.js';
import { recordAudit } from '../audit.js';
import type { Caller } from './caller.js';
import type { BridgeContext } from '../context.js';
import { assertHoldsLiveToken, newSecrets } from './credential.js';
import { BridgeFailure } from '../failure.js';

/**
 * Replaces both secrets of the caller's credential and ends every token issued before (operation 4), the caller's own included.
 * Needs a live token: a test token must not obtain a live secret.
 *
 * @throws BridgeFailure `invalid_token` or `agency_deactivated_token`.
 */
export async function resetCredential(
  context: Pick<BridgeContext, 'db' | 'clock' | 'keys'>,
  caller: Caller,
): Promise<CredentialReset> {
  return context.db.transaction().execute(async (trx) => {
    // As in operation 3: credentials of an agency change one at a time, and its tokens are looked at again under the lock.
    const agency = await lockAgency(trx, caller.agencyId);
    await assertHoldsLiveToken(context, trx, caller.agencyId, caller);
    if (agency === undefined || agency.deactivated_at !== null) {
      throw new BridgeFailure('agency_deactivated_token', 'Authorization: the agency of this token is deactivated');
    }
    const secrets = newSecrets(context.keys);
    await replaceSecrets(trx, caller.credentialId, secrets.hashes, context.clock());
    await endTokens(trx, [caller.credentialId]);
    await recordAudit(trx, context, {
      agencyId: caller.agencyId,
      actor: `credential:${caller.credentialId}`,
      action: 'credential.reset',
      subject: caller.credentialId,
      result: 'done',
    });
    return { liveClientSecret: secrets.live, testClientSecret: secrets.test, userId: caller.credentialId };
  });
}
