import type { Account, AccountUpdateRequest } from '../../../contract/index.js';
import { findAccountSettings, mergeAccountSettings, type AccountSettings } from '../../store/accounts/account-store.js';
import { redirectAccountStreams, stopAccountStreams } from '../../store/webhooks/stream-store.js';
import type { Caller } from './caller.js';
import type { BridgeContext } from '../context.js';
import { assertWebhookUrl } from '../sessions/webhook-url.js';

/** Before anything is set. */
const initial: AccountSettings = { business_email: '', webhook_preference: 'PDB-update', webhook_url: null };

/**
 * Changes the settings of an agency in the caller's mode (operation 2). What is absent keeps its value, so an empty request
 * only reads. Events that wait for the account's address go to the new one at once; without one, they are given up.
 *
 * @throws BridgeFailure `invalid_request` when no webhook could go to the address.
 */
export async function updateAccount(
  context: Pick<BridgeContext, 'db' | 'clock' | 'wakeOutbox' | 'areLoopbackWebhooksAllowed'>,
  caller: Caller,
  request: AccountUpdateRequest,
): Promise<Account> {
  const change = changeOf(request);
  if (change.webhook_url) assertWebhookUrl(change.webhook_url, caller.mode, context.areLoopbackWebhooksAllowed);
  if (Object.keys(change).length === 0) {
    return describeAccount(caller, (await findAccountSettings(context.db, caller)) ?? initial);
  }
  const settings = await context.db.transaction().execute(async (trx) => {
    const now = context.clock();
    const merged = await mergeAccountSettings(trx, caller, { change, initial }, now);
    if (change.webhook_url === null) await stopAccountStreams(trx, caller, now);
    else if (change.webhook_url !== undefined) await redirectAccountStreams(trx, caller, change.webhook_url, now);
    return merged;
  });
  context.wakeOutbox();
  return describeAccount(caller, settings);
}

function changeOf({ businessEmail, webhookPreference, webhookUrl }: AccountUpdateRequest): Partial<AccountSettings> {
  return {
    ...(businessEmail === undefined ? {} : { business_email: businessEmail ?? '' }),
    ...(webhookPreference === undefined ? {} : { webhook_preference: webhookPreference }),
    ...(webhookUrl === undefined ? {} : { webhook_url: webhookUrl === '' ? null : webhookUrl }),
  };
}

function describeAccount(caller: Caller, settings: AccountSettings): Account {
  return {
    businessEmail: settings.business_email,
    preference: settings.webhook_preference,
    userId: caller.credentialId,
    webhookUrl: settings.webhook_url ?? '',
  };
}
