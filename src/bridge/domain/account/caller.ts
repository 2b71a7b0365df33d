import { findTokenHolder } from '../../store/accounts/credential-store.js';
import type { Owner } from '../../store/owner.js';
import type { BridgeContext } from '../context.js';
import { hashToken } from '../keys/keys.js';

/** Who is calling: an agency in one mode, by one of its tokens. */
export interface Caller extends Owner {
  credentialId: string;
  /** Tells tokens apart without being one. */
  tokenHash: Buffer;
  /** Whether the operator has deactivated the agency since the token was issued. */
  isDeactivated: boolean;
}

/** Finds the holder of a token; `undefined` when it is not valid (any more). */
export async function identifyCaller(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  token: string,
): Promise<Caller | undefined> {
  const tokenHash = hashToken(token);
  const holder = await findTokenHolder(context.db, tokenHash, context.clock());
  if (holder === undefined) return undefined;
  const { credentialId, agencyId, mode, agencyDeactivatedAt } = holder;
  return { credentialId, agencyId, mode, tokenHash, isDeactivated: agencyDeactivatedAt !== null };
}
