import type { AgencyCredential } from '../../../contract/index.js';
import { lockAgency, type AgencyRow } from '../../store/accounts/agency-store.js';
import {
  endActiveCredential,
  findTokenHolder,
  hasCredential,
  insertCredential,
  type SecretHashes,
} from '../../store/accounts/credential-store.js';
import { recordAudit, type AuditActor } from '../audit.js';
import type { Caller } from './caller.js';
import type { BridgeContext } from '../context.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { BridgeFailure } from '../failure.js';
import { randomId, randomToken, type Keys } from '../keys/keys.js';

/**
 * Issues the credential of an agency (operation 3). The agency id alone is enough only for the first one: operations 12 and 13
 * return it, so it must not open anything later. After that, only the agency's own live token gets another one, which
 * replaces the first.
 *
 * @throws BridgeFailure `invalid_agency`, `credential_exists` or `invalid_token`.
 */
export async function createAccountCredential(
  context: BridgeContext,
  agencyId: string,
  caller: Caller | undefined,
): Promise<AgencyCredential> {
  return context.db.transaction().execute(async (trx) => {
    const agency = await lockAgency(trx, agencyId);
    if (agency === undefined || agency.deactivated_at !== null) {
      throw new BridgeFailure('invalid_agency', 'agencyId: expected the id of an active agency');
    }
    if (caller !== undefined) await assertHoldsLiveToken(context, trx, agencyId, caller);
    else if (await hasCredential(trx, agencyId)) {
      throw new BridgeFailure('credential_exists', 'Authorization: expected a live token of this agency');
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
 * Issues the credential of an agency for the operator, who hands it over. It replaces the active one and ends its tokens.
 * Resolves with `undefined` when there is no such agency.
 */
export function replaceCredential(context: IssuingContext, agencyId: string): Promise<AgencyCredential | undefined> {
  return context.db.transaction().execute(async (trx) => {
    const agency = await lockAgency(trx, agencyId);
    return agency && issueCredential(context, trx, agency, 'operator');
  });
}

/** Writes a credential in place of the active one. The caller holds the agency's lock. */
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
    agency_id: agency.id,
    client_id: randomId('cli'),
    ...secrets.hashes,
    is_active: true,
    created_at: now,
    updated_at: now,
    deactivated_at: null,
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
    clientId: credential.client_id,
    createdAt: now.toISOString(),
    deactivatedAt: '',
    id: credential.id,
    isActive: true,
    liveClientSecret: secrets.live,
    testClientSecret: secrets.test,
    updatedAt: now.toISOString(),
  };
}

/** The secrets of a credential, to be shown once, and the keyed hashes that are kept of them. */
export interface ClientSecrets {
  live: string;
  test: string;
  hashes: SecretHashes;
}

/** Makes both secrets of a credential. */
export function newSecrets(keys: Keys): ClientSecrets {
  const [live, test] = [randomToken(), randomToken()];
  const hashes = {
    live_secret_hash: keys.mac('client-secret', live),
    test_secret_hash: keys.mac('client-secret', test),
  };
  return { live, test, hashes };
}

/**
 * Looks again whether a caller may change an agency's credential, under the agency's lock: of two changes with one token, the
 * first has ended it.
 *
 * @throws BridgeFailure `invalid_token`.
 */
export async function assertHoldsLiveToken(
  context: Pick<BridgeContext, 'clock'>,
  trx: DatabaseTransaction,
  agencyId: string,
  caller: Caller,
): Promise<void> {
  const isOwnLiveToken = caller.agencyId === agencyId && caller.mode === 'live';
  const isStillValid = (await findTokenHolder(trx, caller.tokenHash, context.clock())) !== undefined;
  if (isOwnLiveToken && isStillValid) return;
  throw new BridgeFailure('invalid_token', 'Authorization: expected a live token of this agency');
}
