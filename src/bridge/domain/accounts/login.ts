import type { LoginRequest, LoginResponse, Mode } from '../../../contract/index.js';
import {
  type CredentialRow,
  findActiveCredential,
  findTokenHolder,
  insertToken,
  replaceSecretHash,
} from '../../store/accounts/credential-store.js';
import type { Owner } from '../../store/owner.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { ApiError } from '../errors/api-error.js';
import type { BridgeContext } from '../context.js';
import { hashToken, type Keys, sameHash } from '../keys/keys.js';
import { isIssued, newAccessToken } from './access-token.js';

/**
 * Issues a token for client credentials (operation 1). Unknown ids and wrong secrets take the same
 * steps, so that neither the answer nor its time distinguishes them.
 *
 * @throws ApiError `invalid_client`, `too_many_logins` or `too_many_requests`.
 */
export async function login(context: BridgeContext, request: LoginRequest, address: string): Promise<LoginResponse> {
  const { limiter } = context;
  // One after the other: each login counts as failed until it succeeds, and many concurrent valid
  // ones must not reach the limit.
  const accessToken = await context.withMutex(`login:${address}`, async () => {
    await limiter.take('failedLogins', address);
    let isFailed = false;
    try {
      const token = await issueToken(context, request);
      isFailed = token === undefined;
      return token;
    } finally {
      if (!isFailed) await limiter.giveBack('failedLogins', address);
    }
  });
  if (accessToken === undefined) {
    throw new ApiError('invalid_client', 'clientId, clientSecret: expected an active pair');
  }
  return { accessToken };
}

async function issueToken(
  context: BridgeContext,
  { clientId, clientSecret }: LoginRequest,
): Promise<string | undefined> {
  const credential = await findActiveCredential(context.db, clientId);
  const mode = modeOf(context.keys, credential, clientSecret);
  if (credential === undefined || mode === undefined) return undefined;
  await context.limiter.take('logins', credential.id);
  return inTransaction(context.db, async (trx) => {
    await renewSecretHash(context.keys, trx, credential, mode, clientSecret);
    const token = newAccessToken(context.keys, mode);
    const now = context.clock();
    const expiresAt = new Date(now.getTime() + context.settings.tokenTtlSeconds * 1_000);
    const isStored = await insertToken(trx, { tokenHash: hashToken(token), credential, mode, now, expiresAt });
    return isStored ? token : undefined;
  });
}

/**
 * Finds the mode of the secret. Compares with both hashes, also without a credential, so that all
 * cases take the same time.
 */
function modeOf(keys: Keys, credential: CredentialRow | undefined, secret: string): Mode | undefined {
  const isHashOf = (mode: Mode, stored: Buffer | undefined) =>
    keys
      .of(mode)
      .macs('client-secret', secret)
      .map((hash) => sameHash(hash, stored ?? Buffer.alloc(hash.length)))
      .includes(true);
  const isLive = isHashOf('live', credential?.liveSecretHash);
  const isTest = isHashOf('test', credential?.testSecretHash);
  if (credential === undefined) return undefined;
  return isLive ? 'live' : isTest ? 'test' : undefined;
}

/**
 * The secret is only available at a login: here it is hashed with the newest key, so that older
 * keys can be removed later.
 */
async function renewSecretHash(
  keys: Keys,
  trx: DatabaseTransaction,
  credential: CredentialRow,
  mode: Mode,
  secret: string,
): Promise<void> {
  const column = `${mode}SecretHash` as const;
  const hash = keys.of(mode).mac('client-secret', secret);
  if (!hash.equals(credential[column])) await replaceSecretHash(trx, credential.id, column, credential[column], hash);
}

/** The caller: an agency in one mode, by one of its tokens. */
export interface Caller extends Owner {
  credentialId: string;
  /** Identifies the token without containing it. */
  tokenHash: Buffer;
  /** Whether the agency was deactivated after the token was issued. */
  isDeactivated: boolean;
}

/**
 * Finds the holder of a token; `undefined` when it is invalid or expired.
 *
 * @throws ApiError `too_many_requests` for an invented token beyond the limit of the IP address,
 *   without a look-up. Issued ones are not counted: an address may belong to many agencies, and the
 *   holder of an expired one must learn that it has to log in.
 */
export async function identifyCaller(
  context: Pick<BridgeContext, 'db' | 'clock' | 'keys' | 'limiter'>,
  token: string,
  address: string,
): Promise<Caller | undefined> {
  if (!isIssued(context.keys, token)) await context.limiter.take('inventedTokens', address);
  const tokenHash = hashToken(token);
  const holder = await findTokenHolder(context.db, tokenHash, context.clock());
  if (holder === undefined) return undefined;
  const { credentialId, agencyId, mode, agencyDeactivatedAt } = holder;
  return { credentialId, agencyId, mode, tokenHash, isDeactivated: agencyDeactivatedAt !== null };
}
