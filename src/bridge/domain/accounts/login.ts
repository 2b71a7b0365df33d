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
import { ApiError } from '../api-error.js';
import type { BridgeContext } from '../context.js';
import { hashToken, type Keys, randomToken, sameHash } from '../keys/keys.js';

/**
 * Trades client credentials for a token (operation 1). Unknown ids and wrong secrets take the same steps, so that neither the
 * answer nor its time tells them apart.
 *
 * @throws ApiError `invalid_client`, `too_many_logins` or `too_many_requests`.
 */
export async function login(context: BridgeContext, request: LoginRequest, address: string): Promise<LoginResponse> {
  const { limiter } = context;
  // One after the other: each counts as failed until it is known not to be, and many good ones at once must not add up.
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
  return context.db.transaction().execute(async (trx) => {
    await renewSecretHash(context.keys, trx, credential, mode, clientSecret);
    const token = randomToken();
    const now = context.clock();
    const expiresAt = new Date(now.getTime() + context.tokenTtlSeconds * 1_000);
    const isIssued = await insertToken(trx, { tokenHash: hashToken(token), credential, mode, now, expiresAt });
    return isIssued ? token : undefined;
  });
}

/** Which of the two secrets it is. Compares with both, and with no credential too, so that all cases take the same time. */
function modeOf(keys: Keys, credential: CredentialRow | undefined, secret: string): Mode | undefined {
  const hashes = keys.macs('client-secret', secret);
  const isHashOf = (stored: Buffer | undefined) =>
    hashes.map((hash) => sameHash(hash, stored ?? Buffer.alloc(hash.length))).includes(true);
  const isLive = isHashOf(credential?.live_secret_hash);
  const isTest = isHashOf(credential?.test_secret_hash);
  if (credential === undefined) return undefined;
  return isLive ? 'live' : isTest ? 'test' : undefined;
}

/** Only at a login is the secret at hand to be hashed with the newest key, so that an older one can be dropped some day. */
async function renewSecretHash(
  keys: Keys,
  trx: DatabaseTransaction,
  credential: CredentialRow,
  mode: Mode,
  secret: string,
): Promise<void> {
  const column = `${mode}_secret_hash` as const;
  const hash = keys.mac('client-secret', secret);
  if (!hash.equals(credential[column])) await replaceSecretHash(trx, credential.id, column, credential[column], hash);
}

/** The caller: an agency in one mode, by one of its tokens. */
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
