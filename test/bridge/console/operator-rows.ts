import { argon2id } from 'hash-wasm';
import type { BridgeContext } from '../../../src/bridge/domain/context.js';
import { hashToken, randomId, randomToken } from '../../../src/bridge/domain/keys/keys.js';
import { sessionTtlMs } from '../../../src/bridge/domain/operators/operator-session.js';
import { newTotpSecret, totpAssociatedData } from '../../../src/bridge/domain/operators/totp.js';
import { insertOperator } from '../../../src/bridge/store/operators/operator-store.js';
import type { Scope } from '../../../src/bridge/store/scope.js';
import type { OperatorRole } from '../../../src/bridge/store/tables/operator-tables.js';

/** The password of the operators. */
export const operatorPassword = 'a sentence for the tests';

/**
 * An Argon2id hash of minimum cost. The costs are in the hash, so that the bridge verifies it in
 * less than a millisecond.
 */
export function cheapHash(password: string): Promise<string> {
  const costs = { parallelism: 1, iterations: 1, memorySize: 8, hashLength: 32 };
  return argon2id({ ...costs, password, salt: Buffer.alloc(16, password), outputType: 'encoded' });
}

type RowContext = Pick<BridgeContext, 'db' | 'clock' | 'keys'>;

/** Writes an operator whose sign-in takes no time. Resolves with the id and the secret of the app. */
export async function placeOperator(
  { db, clock, keys }: RowContext,
  name: string,
  { role = 'file', scope = 'all', password = operatorPassword, hasTotp = false }: PlacedOperator = {},
): Promise<{ id: string; secret: string }> {
  const id = randomId('opr');
  const secret = newTotpSecret();
  const now = clock();
  const isNew = await insertOperator(db, {
    id,
    name,
    role,
    agencyIds: scope === 'all' ? null : [...scope.agencyIds],
    issuer: null,
    subject: null,
    passwordHash: await cheapHash(password),
    isPasswordTemporary: false,
    totpEncrypted: hasTotp ? keys.of('live').encrypt(secret, totpAssociatedData(id)) : null,
    totpLastStep: null,
    createdAt: now,
    updatedAt: now,
    disabledAt: null,
  });
  if (!isNew) throw new Error(`Another test uses the name ${name}.`);
  return { id, secret };
}

/** Writes an operator of an identity provider. Resolves with the id. */
export async function placeOidcOperator(
  { db, clock }: RowContext,
  identity: { issuer: string; subject: string; name: string },
): Promise<string> {
  const id = randomId('opr');
  const now = clock();
  const access = { role: 'file', agencyIds: null, passwordHash: null, isPasswordTemporary: false } as const;
  const rest = { totpEncrypted: null, totpLastStep: null, createdAt: now, updatedAt: now, disabledAt: null };
  await insertOperator(db, { id, ...identity, ...access, ...rest });
  return id;
}

/** The properties of an operator. Default: the role `file` for all agencies, without an authenticator app. */
export interface PlacedOperator {
  role?: OperatorRole;
  scope?: Scope;
  password?: string;
  hasTotp?: boolean;
}

/** Writes a session that begins now, without a sign-in. Resolves with its token. */
export async function placeSession({ db, clock }: RowContext, operatorId: string): Promise<string> {
  const token = randomToken();
  const now = clock();
  const expiresAt = new Date(now.getTime() + sessionTtlMs);
  const times = { createdAt: now, seenAt: now, provenAt: now, expiresAt, idTokenEncrypted: null };
  await db
    .insertInto('operatorSession')
    .values({ tokenHash: hashToken(token), operatorId, ...times })
    .execute();
  return token;
}
