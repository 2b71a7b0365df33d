import { isIPv6 } from 'node:net';
import type { LoginRequest, LoginResponse, Mode } from '../../../contract/index.js';
import {
  findActiveCredential,
  insertToken,
  replaceSecretHash,
  type CredentialRow,
} from '../../store/accounts/credential-store.js';
import { findNthNewestFailure, insertFailure, lockBucket } from '../../store/accounts/login-failure-store.js';
import type { BridgeContext } from '../context.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { BridgeFailure } from '../failure.js';
import { hashToken, randomToken, sameHash, type Keys } from '../keys/keys.js';

/**
 * How many failures a minute one address may have. Not one clientId: every caller who knows it could lock its
 * agency out, and secrets of 256 random bits cannot be guessed.
 */
const maxFailures = 10;
const windowMs = 60_000;

/**
 * Trades client credentials for a token (operation 1). Unknown ids and wrong secrets take the same steps, so that neither the
 * answer nor its time tells them apart.
 *
 * @throws BridgeFailure `invalid_client` or `too_many_logins`.
 */
export async function login(context: BridgeContext, request: LoginRequest, address: string): Promise<LoginResponse> {
  const bucket = addressBucket(context.keys, address);
  // Callers that wait for the lock wait before they have a connection: a few dozen of one address would
  // otherwise leave none to others.
  const accessToken = await context.takeTurn(`login:${bucket}`, () =>
    context.db.transaction().execute(async (trx) => {
      await lockBucket(trx, bucket);
      await assertBelowLimit(trx, bucket, context.clock());
      const token = await issueToken(context, trx, request);
      // Committed, not thrown here: the failure has to be remembered.
      if (token === undefined) await insertFailure(trx, bucket, context.clock());
      return token;
    }),
  );
  if (accessToken === undefined) {
    throw new BridgeFailure('invalid_client', 'clientId, clientSecret: expected an active pair');
  }
  return { accessToken };
}

async function issueToken(
  context: BridgeContext,
  trx: DatabaseTransaction,
  { clientId, clientSecret }: LoginRequest,
): Promise<string | undefined> {
  const credential = await findActiveCredential(trx, clientId);
  const mode = modeOf(context.keys, credential, clientSecret);
  if (credential === undefined || mode === undefined) return undefined;
  await renewSecretHash(context.keys, trx, credential, mode, clientSecret);
  const token = randomToken();
  const now = context.clock();
  const expiresAt = new Date(now.getTime() + context.tokenTtlSeconds * 1_000);
  const isIssued = await insertToken(trx, { tokenHash: hashToken(token), credential, mode, now, expiresAt });
  return isIssued ? token : undefined;
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

async function assertBelowLimit(trx: DatabaseTransaction, bucket: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - windowMs);
  const tenth = await findNthNewestFailure(trx, bucket, maxFailures, since);
  if (tenth === undefined) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((tenth.getTime() + windowMs - now.getTime()) / 1_000));
  const details = `login: expected at most ${String(maxFailures)} failures a minute`;
  throw new BridgeFailure('too_many_logins', details, { retryAfterSeconds });
}

/** Returns the bucket of an address: a keyed hash, so that the table does not show who tried to log in from where. */
export function addressBucket(keys: Keys, address: string): string {
  return `address:${keys.mac('rate-bucket', `address:${networkOf(address)}`).toString('base64url')}`;
}

/** An IPv6 address counts as its /64, all of which belongs to one network. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address.replace(/^::ffff:/, '');
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - front.length - back.length).fill('0');
  return [...front, ...zeros, ...back].slice(0, 4).join(':');
}
