import { createHmac, randomBytes } from 'node:crypto';
import { findAgency } from '../../store/accounts/agency-store.js';
import { deleteWebhookSecret, putWebhookSecret } from '../../store/accounts/webhook-secret-store.js';
import type { Owner } from '../../store/owner.js';
import type { BridgeContext } from '../context.js';

const prefix = 'whsec_';

/**
 * Has an agency's webhooks of one mode signed from now on, with a new secret that takes the place of an earlier one. Resolves with
 * it: nothing shows it again. `undefined` when there is no such agency.
 */
export async function createWebhookSecret(
  { db, keys, clock }: Pick<BridgeContext, 'db' | 'keys' | 'clock'>,
  owner: Owner,
): Promise<string | undefined> {
  if ((await findAgency(db, owner.agencyId)) === undefined) return undefined;
  const secret = prefix + randomBytes(32).toString('base64');
  await putWebhookSecret(db, owner, keys.seal(secret, webhookSecretPlace(owner)), clock());
  return secret;
}

/** Has an agency's webhooks of one mode signed no more. Resolves with whether they were. */
export function endWebhookSecret({ db }: Pick<BridgeContext, 'db'>, owner: Owner): Promise<boolean> {
  return deleteWebhookSecret(db, owner);
}

/** What a sealed secret is bound to. */
export function webhookSecretPlace({ agencyId, mode }: Owner): string {
  return `webhook_secret:${agencyId}:${mode}`;
}

/**
 * The `webhook-signature` of a webhook, as Standard Webhooks has it. By Node, in one line: the package `standardwebhooks` would
 * bring a hash in JavaScript, and is what the tests verify with.
 */
export function signWebhook(secret: string, { id, timestamp, body }: { id: string; timestamp: string; body: string }) {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
