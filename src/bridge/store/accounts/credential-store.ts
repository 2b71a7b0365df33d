import { type Insertable, type Selectable } from 'kysely';
import type { Mode } from '../../../contract/index.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import { statement } from '../statement.js';
import type { CredentialTable } from '../tables/tables.js';

/** A row of `credential` as it is read. */
export type CredentialRow = Selectable<CredentialTable>;

/** A row of `credential` as it is written. */
export type NewCredentialRow = Insertable<CredentialTable>;

/** The keyed hashes of a credential's secrets. */
export type SecretHashes = Pick<CredentialRow, 'liveSecretHash' | 'testSecretHash'>;

/** Finds the credential of a client id, unless it or its agency was deactivated. */
export function findActiveCredential(db: Database, clientId: string): Promise<CredentialRow | undefined> {
  return db
    .selectFrom('credential')
    .innerJoin('agency', 'agency.id', 'credential.agencyId')
    .selectAll('credential')
    .where('clientId', '=', clientId)
    .where('isActive', '=', true)
    .where('agency.deactivatedAt', 'is', null)
    .executeTakeFirst();
}

/** Writes a new credential. */
export async function insertCredential(trx: DatabaseTransaction, credential: NewCredentialRow): Promise<void> {
  await trx.insertInto('credential').values(credential).execute();
}

/**
 * Ends an agency's active credential, if it has one, and every token issued with it. The credential
 * is changed first: a login in progress holds it, so its token exists and is deleted; a later login
 * finds the credential inactive.
 */
export async function endActiveCredential(trx: DatabaseTransaction, agencyId: string, now: Date): Promise<void> {
  const ended = await trx
    .updateTable('credential')
    .set({ isActive: false, deactivatedAt: now, updatedAt: now })
    .where('agencyId', '=', agencyId)
    .where('isActive', '=', true)
    .returning('id')
    .execute();
  if (ended.length === 0) return;
  await endTokens(
    trx,
    ended.map((credential) => credential.id),
  );
}

/**
 * Replaces the secrets of a credential. Call it before its tokens are deleted, for the same reason
 * as in {@link endActiveCredential}.
 */
export async function replaceSecrets(
  trx: DatabaseTransaction,
  id: string,
  hashes: SecretHashes,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('credential')
    .set((eb) => ({ ...hashes, secretsSerial: eb('secretsSerial', '+', 1), updatedAt: now }))
    .where('id', '=', id)
    .execute();
}

/** Deletes every token of some credentials, at once and for every instance. */
export async function endTokens(trx: DatabaseTransaction, credentialIds: string[]): Promise<void> {
  await trx.deleteFrom('accessToken').where('credentialId', 'in', credentialIds).execute();
}

/** Whether an agency was ever issued a credential. */
export async function hasCredential(trx: DatabaseTransaction, agencyId: string): Promise<boolean> {
  const first = await trx.selectFrom('credential').select('id').where('agencyId', '=', agencyId).executeTakeFirst();
  return first !== undefined;
}

/** Stores another hash of the same secret, unless the secret was replaced meanwhile. */
export async function replaceSecretHash(
  trx: DatabaseTransaction,
  credentialId: string,
  column: 'liveSecretHash' | 'testSecretHash',
  from: Buffer,
  to: Buffer,
): Promise<void> {
  await trx
    .updateTable('credential')
    .set({ [column]: to })
    .where('id', '=', credentialId)
    .where(column, '=', from)
    .execute();
}

/** An issued token. */
export interface NewToken {
  tokenHash: Buffer;
  credential: Pick<CredentialRow, 'id' | 'agencyId' | 'secretsSerial'>;
  mode: Mode;
  now: Date;
  expiresAt: Date;
}

/**
 * Writes a token, unless its credential or the secrets have just been replaced. Resolves with
 * whether it was written.
 */
export async function insertToken(trx: DatabaseTransaction, token: NewToken): Promise<boolean> {
  // With the share lock, this transaction and a replacement of the credential wait for each other's
  // commit (see endActiveCredential). After a wait the condition is evaluated again, so that a
  // secret that was valid when the login compared it does not survive a reset.
  const active = await trx
    .selectFrom('credential')
    .select('id')
    .where('id', '=', token.credential.id)
    .where('isActive', '=', true)
    .where('secretsSerial', '=', token.credential.secretsSerial)
    .forShare()
    .executeTakeFirst();
  if (active === undefined) return false;
  await trx
    .insertInto('accessToken')
    .values({
      tokenHash: token.tokenHash,
      credentialId: token.credential.id,
      agencyId: token.credential.agencyId,
      mode: token.mode,
      createdAt: token.now,
      expiresAt: token.expiresAt,
    })
    .execute();
  return true;
}

/** The holder of a token. */
export interface TokenHolder {
  credentialId: string;
  agencyId: string;
  mode: Mode;
  agencyDeactivatedAt: Date | null;
}

/** Finds the holder of a token that is still valid. */
export async function findTokenHolder(db: Database, tokenHash: Buffer, now: Date): Promise<TokenHolder | undefined> {
  const [holder] = await tokenHolder(db, { tokenHash });
  return holder !== undefined && holder.expiresAt > now ? holder : undefined;
}

const tokenHolder = statement('token_holder', (db, { tokenHash }: { tokenHash: Buffer }) =>
  db
    .selectFrom('accessToken')
    .innerJoin('agency', 'agency.id', 'accessToken.agencyId')
    .select([
      'accessToken.credentialId',
      'accessToken.agencyId',
      'accessToken.mode',
      'accessToken.expiresAt',
      'agency.deactivatedAt as agencyDeactivatedAt',
    ])
    .where('tokenHash', '=', tokenHash),
);
