import type { AgencyCredential, CredentialReset } from '../../../contract/index.js';
import { type AgencyRow, lockAgency } from '../../store/accounts/agency-store.js';
import {
  endActiveCredential,
  endTokens,
  findTokenHolder,
  hasCredential,
  insertCredential,
  replaceSecrets,
  type SecretHashes,
} from '../../store/accounts/credential-store.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { inTransaction } from '../../store/transaction.js';
import { ApiError } from '../errors/api-error.js';
import { actorOfContext, type AuditActor, type AuditedContext, recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { type Keys, randomId, randomToken } from '../keys/keys.js';
import type { Caller } from './login.js';

/**
 * Issues the credential of an agency (operation 3). The agency id alone is enough only for the
 * first one, because operations 12 and 13 return it. Later ones require a live token of the agency,
 * and replace the previous one.
 *
 * @throws ApiError `invalid_agency`, `credential_exists` or `invalid_token`.
 */
export async function createAccountCredential(
  context: BridgeContext,
  agencyId: string,
  caller: Caller | undefined,
): Promise<AgencyCredential> {
  return inTransaction(context.db, async (trx) => {
    const agency = await lockAgency(trx, agencyId);
    if (agency === undefined || agency.deactivatedAt !== null) {
      throw new ApiError('invalid_agency', 'agencyId: expected the id of an active agency');
    }
    if (caller !== undefined) await assertHoldsLiveToken(context, trx, agencyId, caller);
    else if (await hasCredential(trx, agencyId)) {
      throw new ApiError('credential_exists', 'Authorization: expected a live token of this agency');
    }
    return issueCredential(
      context,
      trx,
      agency,
      caller === undefined ? 'agencyId' : `credential:${caller.credentialId}`,
    );
  });
}

type IssuingContext = Pick<BridgeContext, 'db' | 'keys' | 'clock'>;

/**
 * Issues a credential of an agency for the operator. It replaces the active one and ends its
 * tokens. Resolves with `undefined` when there is no such agency.
 */
export function replaceCredential(
  context: IssuingContext & AuditedContext,
  agencyId: string,
): Promise<AgencyCredential | undefined> {
  return inTransaction(context.db, async (trx) => {
    const agency = await lockAgency(trx, agencyId);
    return agency && issueCredential(context, trx, agency, actorOfContext(context));
  });
}

/** Replaces the active credential. The caller has locked the agency. */
async function issueCredential(
  context: IssuingContext,
  trx: DatabaseTransaction,
  agency: AgencyRow,
  actor: AuditActor,
): Promise<AgencyCredential> {
  const now = context.clock();
  await endActiveCredential(trx, agency.id, now);
  const secrets = newSecrets(context.keys);
  const credential = {
    id: randomId('crd'),
    agencyId: agency.id,
    clientId: randomId('cli'),
    ...secrets.hashes,
    isActive: true,
    createdAt: now,
    updatedAt: now,
    deactivatedAt: null,
  };
  await insertCredential(trx, credential);
  await recordAudit(trx, context, {
    agencyId: agency.id,
    actor,
    action: 'credential.issued',
    subject: credential.id,
    result: 'done',
  });
  return {
    agencyId: agency.id,
    agencyName: agency.name,
    clientId: credential.clientId,
    createdAt: now.toISOString(),
    deactivatedAt: '',
    id: credential.id,
    isActive: true,
    liveClientSecret: secrets.live,
    testClientSecret: secrets.test,
    updatedAt: now.toISOString(),
  };
}

/** The secrets of a credential, which are shown once, and their stored keyed hashes. */
export interface ClientSecrets {
  live: string;
  test: string;
  hashes: SecretHashes;
}

/** Creates both secrets of a credential. */
function newSecrets(keys: Keys): ClientSecrets {
  const [live, test] = [randomToken(), randomToken()];
  const hashes = {
    liveSecretHash: keys.of('live').mac('client-secret', live),
    testSecretHash: keys.of('test').mac('client-secret', test),
  };
  return { live, test, hashes };
}

/**
 * Checks again, under the agency's lock, whether a caller may change the agency's credential: of
 * two changes with one token, the first one ends the token.
 *
 * @throws ApiError `invalid_token`.
 */
async function assertHoldsLiveToken(
  context: Pick<BridgeContext, 'clock'>,
  trx: DatabaseTransaction,
  agencyId: string,
  caller: Caller,
): Promise<void> {
  const isOwnLiveToken = caller.agencyId === agencyId && caller.mode === 'live';
  const isStillValid = (await findTokenHolder(trx, caller.tokenHash, context.clock())) !== undefined;
  if (isOwnLiveToken && isStillValid) return;
  throw new ApiError('invalid_token', 'Authorization: expected a live token of this agency');
}

/**
 * Replaces both secrets of the caller's credential and ends every token issued before (operation
 * 4), the caller's own included. Needs a live token: a test token must not obtain a live secret.
 *
 * @throws ApiError `invalid_token` or `agency_deactivated_token`.
 */
export async function resetCredential(
  context: Pick<BridgeContext, 'db' | 'clock' | 'keys'>,
  caller: Caller,
): Promise<CredentialReset> {
  return inTransaction(context.db, async (trx) => {
    // As in createAccountCredential (operation 3): credentials of an agency change one at a time,
    // and the token is checked again under the lock.
    const agency = await lockAgency(trx, caller.agencyId);
    await assertHoldsLiveToken(context, trx, caller.agencyId, caller);
    if (agency === undefined || agency.deactivatedAt !== null) {
      throw new ApiError('agency_deactivated_token', 'Authorization: the agency of this token is deactivated');
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
