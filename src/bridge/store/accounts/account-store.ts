import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';
import type { AccountSettingTable } from '../tables/account-tables.js';
import { ownedBy, type Owner } from '../owner.js';

/** What operation 2 can set. */
export type AccountSettings = Pick<
  Selectable<AccountSettingTable>,
  'business_email' | 'webhook_preference' | 'webhook_url'
>;

const settingColumns = ['business_email', 'webhook_preference', 'webhook_url'] as const;

/** The settings of an agency in one mode; `undefined` before anything was set. */
export function findAccountSettings(db: Database, owner: Owner): Promise<AccountSettings | undefined> {
  return db
    .selectFrom('account_setting')
    .select(settingColumns)
    .where(ownedBy(owner, 'account_setting'))
    .executeTakeFirst();
}

/** What to change, and what the rest is when nothing was set before. */
export interface AccountChange {
  change: Partial<AccountSettings>;
  initial: AccountSettings;
}

/**
 * Changes some settings and leaves the others. One statement: of two changes at once both count. Holds the row until the
 * transaction ends, see {@link shareAccountAddress}.
 */
export function mergeAccountSettings(
  trx: DatabaseTransaction,
  owner: Owner,
  { change, initial }: AccountChange,
  now: Date,
): Promise<AccountSettings> {
  return trx
    .insertInto('account_setting')
    .values({ agency_id: owner.agencyId, mode: owner.mode, ...initial, ...change, updated_at: now })
    .onConflict((conflict) => conflict.columns(['agency_id', 'mode']).doUpdateSet({ ...change, updated_at: now }))
    .returning(settingColumns)
    .executeTakeFirstOrThrow();
}

/**
 * The webhook address of an agency in one mode, which then stays as it is until the transaction ends: a change of it waits for
 * the events that are being written for it, finds them and takes them along.
 */
export async function shareAccountAddress(trx: DatabaseTransaction, owner: Owner): Promise<string | null> {
  const settings = await trx
    .selectFrom('account_setting')
    .select('webhook_url')
    .where(ownedBy(owner, 'account_setting'))
    .forShare()
    .executeTakeFirst();
  return settings?.webhook_url ?? null;
}
