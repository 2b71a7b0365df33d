import type { Selectable } from 'kysely';
import { ownedBy, type Owner } from '../owner.js';
import type { AccountSettingTable } from '../tables/account-tables.js';
import type { AgencyTable } from '../tables/tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `agency` as it is read. */
export type AgencyRow = Selectable<AgencyTable>;

/** Writes a new agency. */
export async function insertAgency(db: Database, agency: Omit<AgencyRow, 'deactivated_at'>): Promise<void> {
  await db
    .insertInto('agency')
    .values({ ...agency, deactivated_at: null })
    .execute();
}

/** All agencies, the oldest first. */
export function findAgencies(db: Database): Promise<AgencyRow[]> {
  return db.selectFrom('agency').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** An agency by its id. */
export function findAgency(db: Database, id: string): Promise<AgencyRow | undefined> {
  return db.selectFrom('agency').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Locks an agency until the transaction ends, so that its credential changes one at a time. Not `for update`: a login under way
 * holds the credential and refers to the agency, and would wait for us while we wait for it.
 */
export function lockAgency(trx: DatabaseTransaction, id: string): Promise<AgencyRow | undefined> {
  return trx.selectFrom('agency').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/**
 * Reads an agency and keeps it from being changed until the transaction ends. A deactivation waits for the transaction, so that
 * nothing is collected or done for an agency any more once its deactivation is committed.
 */
export function shareAgency(trx: DatabaseTransaction, id: string): Promise<AgencyRow | undefined> {
  return trx.selectFrom('agency').selectAll().where('id', '=', id).forShare().executeTakeFirst();
}

/** Deactivates an agency; the first time counts. Resolves with the row, or `undefined` when there is none. */
export function deactivateAgencyRow(db: Database, id: string, now: Date): Promise<AgencyRow | undefined> {
  return db
    .updateTable('agency')
    .set((eb) => ({ deactivated_at: eb.fn.coalesce('deactivated_at', eb.val(now)) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Changes columns of an agency. Resolves with the row, or `undefined` when there is none. */
export function updateAgencyRow(
  db: Database,
  id: string,
  change: Partial<Pick<AgencyRow, 'name' | 'onboard_types' | 'deactivated_at'>>,
): Promise<AgencyRow | undefined> {
  return db.updateTable('agency').set(change).where('id', '=', id).returningAll().executeTakeFirst();
}

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

/** Keeps the secret of an agency's webhooks in one mode, in place of an earlier one. */
export async function putWebhookSecret(db: Database, owner: Owner, sealed: string, now: Date): Promise<void> {
  const secret = { secret_sealed: sealed, created_at: now };
  await db
    .insertInto('webhook_secret')
    .values({ agency_id: owner.agencyId, mode: owner.mode, ...secret })
    .onConflict((conflict) => conflict.columns(['agency_id', 'mode']).doUpdateSet(secret))
    .execute();
}

/** Deletes the secret of an agency's webhooks in one mode. Resolves with whether there was one. */
export async function deleteWebhookSecret(db: Database, owner: Owner): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_secret')
    .where(ownedBy(owner, 'webhook_secret'))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
