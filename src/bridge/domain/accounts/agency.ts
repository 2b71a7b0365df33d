import { createHmac, randomBytes } from 'node:crypto';
import type { Account, AccountUpdateRequest, OnboardType } from '../../../contract/index.js';
import {
  type AccountSettings,
  type AgencyRow,
  deactivateAgencyRow,
  deleteWebhookSecret,
  findAccountSettings,
  findAgencies,
  findAgency,
  insertAgency,
  mergeAccountSettings,
  putWebhookSecret,
  updateAgencyRow,
} from '../../store/accounts/agency-store.js';
import type { Owner } from '../../store/owner.js';
import type { Scope } from '../../store/scope.js';
import type { DatabaseTransaction } from '../../store/tables/typed-database.js';
import { enableEndpoint, sweepStreamsOf } from '../../store/webhooks/endpoint-store.js';
import { inTransaction } from '../../store/transaction.js';
import { actorOfContext, type AuditAction, type AuditedContext, recordAudit, requestedBy } from '../audit/audit.js';
import type { BridgeContext, BridgeSettings } from '../context.js';
import { randomId } from '../keys/keys.js';
import { assertWebhookUrl } from '../values/partner-urls.js';
import type { Caller } from './login.js';

/** An agency, as the operator sees it. */
export interface Agency {
  /**
   * Keep it private until the first credential is issued: until then, it is enough to issue one
   * (operation 3).
   */
  agencyId: string;
  name: string;
  onboardTypes: string[];
  createdAt: string;
  /** "" while active. */
  deactivatedAt: string;
}

/** Creates an agency. */
export async function createAgency(
  context: AuditedContext,
  name: string,
  types: readonly OnboardType[] = ['lookup', 'subscribe'],
): Promise<Agency> {
  const row = { id: randomId('agc'), name, onboardTypes: [...types], createdAt: context.clock() };
  await changeAgency(context, row.id, 'agency.created', async (trx) => {
    await insertAgency(trx, row);
    return { ...row, deactivatedAt: null };
  });
  return describeAgency({ ...row, deactivatedAt: null });
}

/** All agencies, the oldest first. */
export function listAgencies(context: Pick<BridgeContext, 'db'>): Promise<Agency[]> {
  return listAgenciesIn(context, 'all');
}

/** The agencies of a scope, the oldest first. */
export async function listAgenciesIn({ db }: Pick<BridgeContext, 'db'>, scope: Scope): Promise<Agency[]> {
  return (await findAgencies(db, scope)).map(describeAgency);
}

/**
 * Deactivates an agency: logins and tokens are refused, its links no longer work, its bulk
 * onboardings pause and its webhooks are held. Resolves with `undefined` when there is none.
 */
export function deactivateAgency(context: AuditedContext, agencyId: string): Promise<Agency | undefined> {
  return changeAgency(context, agencyId, 'agency.deactivated', (trx) =>
    deactivateAgencyRow(trx, agencyId, context.clock()),
  );
}

/**
 * Activates an agency again: its held jobs and webhooks continue. Resolves with `undefined` when
 * there is none.
 */
export function activateAgency(context: AuditedContext, agencyId: string): Promise<Agency | undefined> {
  return changeAgency(context, agencyId, 'agency.activated', (trx) =>
    updateAgencyRow(trx, agencyId, { deactivatedAt: null }),
  );
}

/**
 * Changes the name or the onboard types of an agency. Resolves with `undefined` when there is none.
 */
export function updateAgency(
  context: AuditedContext,
  agencyId: string,
  { name, onboardTypes }: { name?: string | undefined; onboardTypes?: readonly OnboardType[] | undefined },
): Promise<Agency | undefined> {
  return changeAgency(context, agencyId, 'agency.updated', (trx) =>
    updateAgencyRow(trx, agencyId, {
      ...(name === undefined ? {} : { name }),
      ...(onboardTypes === undefined ? {} : { onboardTypes: [...onboardTypes] }),
    }),
  );
}

/**
 * Changes an agency and writes the audit entry in one transaction. Resolves with `undefined` when
 * there is none.
 */
function changeAgency(
  context: AuditedContext,
  agencyId: string,
  action: AuditAction,
  change: (trx: DatabaseTransaction) => Promise<AgencyRow | undefined>,
): Promise<Agency | undefined> {
  return inTransaction(context.db, async (trx) => {
    const row = await change(trx);
    if (row === undefined) return undefined;
    const actor = actorOfContext(context);
    await recordAudit(trx, context, { agencyId, actor, action, subject: agencyId, result: 'done' });
    return describeAgency(row);
  });
}

function describeAgency(row: AgencyRow): Agency {
  return {
    agencyId: row.id,
    name: row.name,
    onboardTypes: row.onboardTypes,
    createdAt: row.createdAt.toISOString(),
    deactivatedAt: row.deactivatedAt?.toISOString() ?? '',
  };
}

/** The settings before the first change. */
const initial: AccountSettings = { businessEmail: '', webhookPreference: 'PDB-update', webhookUrl: null };

/**
 * Changes the settings of an agency in the caller's mode (operation 2). Absent fields keep their
 * values, so an empty request only reads. Events that wait for the account's URL are sent to the
 * new one at once; without one, they are dead-lettered.
 *
 * @throws ApiError `invalid_request` when webhooks cannot be sent to the URL.
 */
export async function updateAccount(
  context: Pick<BridgeContext, 'db' | 'clock' | 'wakeOutbox'> & {
    settings: Pick<BridgeSettings, 'areLoopbackWebhooksAllowed'>;
  },
  caller: Caller,
  request: AccountUpdateRequest,
): Promise<Account> {
  const change = changeOf(request);
  if (change.webhookUrl) assertWebhookUrl(change.webhookUrl, caller.mode, context.settings.areLoopbackWebhooksAllowed);
  if (Object.keys(change).length === 0) {
    return describeAccount(caller, (await findAccountSettings(context.db, caller)) ?? initial);
  }
  const settings = await inTransaction(context.db, async (trx) => {
    const merged = await mergeAccountSettings(trx, caller, { change, initial }, context.clock());
    if (change.webhookUrl !== undefined) await changeAccountUrl(trx, caller, change.webhookUrl);
    // Names only: a URL may contain a secret.
    const result = Object.keys(change).join(', ');
    await recordAudit(trx, context, {
      ...requestedBy(caller),
      action: 'account.updated',
      subject: caller.agencyId,
      result,
    });
    return merged;
  });
  context.wakeOutbox();
  return describeAccount(caller, settings);
}

async function changeAccountUrl(
  trx: DatabaseTransaction,
  { agencyId, mode }: Owner,
  url: string | null,
): Promise<void> {
  // Enabled again, if it answered 410 before: setting it means that it works.
  if (url !== null) await enableEndpoint(trx, { agencyId, mode, url });
  await sweepStreamsOf(trx, agencyId);
}

function changeOf({ businessEmail, webhookPreference, webhookUrl }: AccountUpdateRequest): Partial<AccountSettings> {
  return {
    ...(businessEmail === undefined ? {} : { businessEmail: businessEmail ?? '' }),
    ...(webhookPreference === undefined ? {} : { webhookPreference }),
    ...(webhookUrl === undefined ? {} : { webhookUrl: webhookUrl === '' ? null : webhookUrl }),
  };
}

function describeAccount(caller: Caller, settings: AccountSettings): Account {
  return {
    businessEmail: settings.businessEmail,
    preference: settings.webhookPreference,
    userId: caller.credentialId,
    webhookUrl: settings.webhookUrl ?? '',
  };
}

const prefix = 'whsec_';

/**
 * Signs an agency's webhooks of one mode from now on, with a new secret that replaces an earlier
 * one. Resolves with the secret, which is not shown again, or `undefined` when there is no such
 * agency.
 */
export function createWebhookSecret(
  context: AuditedContext & Pick<BridgeContext, 'keys'>,
  owner: Owner,
): Promise<string | undefined> {
  return inTransaction(context.db, async (trx) => {
    if ((await findAgency(trx, owner.agencyId)) === undefined) return undefined;
    const secret = prefix + randomBytes(32).toString('base64');
    const encrypted = context.keys.of(owner.mode).encrypt(secret, webhookSecretAssociatedData(owner));
    await putWebhookSecret(trx, owner, encrypted, context.clock());
    await recordSecretChange(trx, context, owner, 'webhook_secret.created');
    return secret;
  });
}

/** Stops signing an agency's webhooks of one mode. Resolves with whether they were signed. */
export function endWebhookSecret(context: AuditedContext, owner: Owner): Promise<boolean> {
  return inTransaction(context.db, async (trx) => {
    const wasSigned = await deleteWebhookSecret(trx, owner);
    if (wasSigned) await recordSecretChange(trx, context, owner, 'webhook_secret.ended');
    return wasSigned;
  });
}

function recordSecretChange(
  trx: DatabaseTransaction,
  context: AuditedContext,
  { agencyId, mode }: Owner,
  action: AuditAction,
): Promise<void> {
  const actor = actorOfContext(context);
  return recordAudit(trx, context, { agencyId, mode, actor, action, subject: agencyId, result: 'done' });
}

/** The associated data of an encrypted secret. */
export function webhookSecretAssociatedData({ agencyId, mode }: Owner): string {
  return `webhook_secret:${agencyId}:${mode}`;
}

/**
 * The `webhook-signature` of a webhook, as defined by Standard Webhooks. One line with Node's
 * crypto; the package `standardwebhooks` brings its own hash, and the tests verify with it.
 */
export function signWebhook(secret: string, { id, timestamp, body }: { id: string; timestamp: string; body: string }) {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
