import { isIPv6 } from 'node:net';
import type { LoginRequest, LoginResponse, Mode } from '../../../contract/index.js';
import {
  findActiveCredential,
  insertToken,
  replaceSecretHash,
  type CredentialRow,
} from '../../store/accounts/credential-store.js';
import { findNthNewestFailure, insertFailures, lockBuckets } from '../../store/accounts/login-failure-store.js';
import type { BridgeContext } from '../context.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { BridgeFailure } from '../failure.js';
import { hashToken, randomToken, sameHash, type Keys } from '../keys/keys.js';

/** How many failures a minute one clientId, or one address, may have. */
const maxFailures = 10;
const windowMs = 60_000;

/**
 * Trades client credentials for a token (operation 1). Unknown ids and wrong secrets take the same steps, so that neither the
 * answer nor its time tells them apart.
 *
 * @throws BridgeFailure `invalid_client` or `too_many_logins`.
 */
export async function login(context: BridgeContext, request: LoginRequest, address: string): Promise<LoginResponse> {
  const buckets = bucketsOf(context.keys, request.clientId, address);
  const accessToken = await takeTurns(context, buckets, () =>
    context.db.transaction().execute(async (trx) => {
      await lockBuckets(trx, buckets);
      await assertBelowLimit(trx, buckets, context.clock());
      const token = await issueToken(context, trx, request);
      // Committed, not thrown here: the failure has to be remembered.
      if (token === undefined) await insertFailures(trx, buckets, context.clock());
      return token;
    }),
  );
  if (accessToken === undefined) {
    throw new BridgeFailure('invalid_client', 'clientId, clientSecret: expected an active pair');
  }
  return { accessToken };
}

/**
 * Anybody can call this operation, as often as they like: those who would wait for the lock of a bucket wait before they have a
 * connection, or a few dozen at once would leave none to anybody else. In one order for everybody, as the locks.
 */
function takeTurns<Result>(
  { takeTurn }: Pick<BridgeContext, 'takeTurn'>,
  buckets: string[],
  work: () => Promise<Result>,
): Promise<Result> {
  return [...buckets].sort().reduceRight((inner, bucket) => () => takeTurn(`login:${bucket}`, inner), work)();
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

async function assertBelowLimit(trx: DatabaseTransaction, buckets: string[], now: Date): Promise<void> {
  const since = new Date(now.getTime() - windowMs);
  for (const bucket of buckets) {
    const tenth = await findNthNewestFailure(trx, bucket, maxFailures, since);
    if (tenth === undefined) continue;
    const retryAfterSeconds = Math.max(1, Math.ceil((tenth.getTime() + windowMs - now.getTime()) / 1_000));
    const details = `login: expected at most ${String(maxFailures)} failures a minute`;
    throw new BridgeFailure('too_many_logins', details, { retryAfterSeconds });
  }
}

/** Keyed hashes: the table tells nobody who tried to log in from where. */
export function bucketsOf(keys: Keys, clientId: string, address: string): string[] {
  const bucket = (kind: string, text: string) =>
    `${kind}:${keys.mac('rate-bucket', `${kind}:${text}`).toString('base64url')}`;
  return [bucket('client', clientId), bucket('address', networkOf(address))];
}

/** Whoever has one IPv6 address has its whole /64. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address.replace(/^::ffff:/, '');
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - front.length - back.length).fill('0');
  return [...front, ...zeros, ...back].slice(0, 4).join(':');
}
