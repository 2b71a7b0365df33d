import type { Selectable } from 'kysely';
import { ownedBy, type Owner } from '../owner.js';
import { agencyInScope, type Scope } from '../scope.js';
import type { AccountSettingTable } from '../tables/account-tables.js';
import type { AgencyTable } from '../tables/tables.js';
import type { Database, DatabaseTransaction } from '../tables/typed-database.js';

/** A row of `agency` as it is read. */
export type AgencyRow = Selectable<AgencyTable>;

/** Writes a new agency. */
export async function insertAgency(db: Database, agency: Omit<AgencyRow, 'deactivatedAt'>): Promise<void> {
  await db
    .insertInto('agency')
    .values({ ...agency, deactivatedAt: null })
    .execute();
}

/** The agencies of a scope, the oldest first. */
export function findAgencies(db: Database, scope: Scope): Promise<AgencyRow[]> {
  return db
    .selectFrom('agency')
    .selectAll()
    .where(agencyInScope(scope, 'agency.id'))
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** An agency by its id. */
export function findAgency(db: Database, id: string): Promise<AgencyRow | undefined> {
  return db.selectFrom('agency').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Locks an agency until the transaction ends, so that its credential changes one at a time. Not
 * `for update`: a login in progress holds the credential and references the agency, so the two
 * would wait for each other.
 */
export function lockAgency(trx: DatabaseTransaction, id: string): Promise<AgencyRow | undefined> {
  return trx.selectFrom('agency').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/**
 * Reads an agency and prevents changes to it until the transaction ends. A deactivation waits for
 * the transaction, so nothing is collected or done for an agency after its deactivation is
 * committed.
 */
export function shareAgency(trx: DatabaseTransaction, id: string): Promise<AgencyRow | undefined> {
  return trx.selectFrom('agency').selectAll().where('id', '=', id).forShare().executeTakeFirst();
}

/**
 * Deactivates an agency and keeps the time of the first deactivation. Resolves with the row, or
 * `undefined` when there is none.
 */
export function deactivateAgencyRow(db: Database, id: string, now: Date): Promise<AgencyRow | undefined> {
  return db
    .updateTable('agency')
    .set((eb) => ({ deactivatedAt: eb.fn.coalesce('deactivatedAt', eb.val(now)) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Changes columns of an agency. Resolves with the row, or `undefined` when there is none. */
export function updateAgencyRow(
  db: Database,
  id: string,
  change: Partial<Pick<AgencyRow, 'name' | 'onboardTypes' | 'deactivatedAt'>>,
): Promise<AgencyRow | undefined> {
  return db.updateTable('agency').set(change).where('id', '=', id).returningAll().executeTakeFirst();
}

/** The settings that `updateAccount` (operation 2) can change. */
export type AccountSettings = Pick<
  Selectable<AccountSettingTable>,
  'businessEmail' | 'webhookPreference' | 'webhookUrl'
>;

const settingColumns = ['businessEmail', 'webhookPreference', 'webhookUrl'] as const;

/** The settings of an agency in one mode; `undefined` before the first change. */
export function findAccountSettings(db: Database, owner: Owner): Promise<AccountSettings | undefined> {
  return db
    .selectFrom('accountSetting')
    .select(settingColumns)
    .where(ownedBy(owner, 'accountSetting'))
    .executeTakeFirst();
}

/** The changes, and the defaults of the other settings. */
export interface AccountChange {
  change: Partial<AccountSettings>;
  initial: AccountSettings;
}

/**
 * Changes some settings and keeps the others. One statement, so that two concurrent changes are
 * both kept. Locks the row until the transaction ends, see {@link shareAccountAddress}.
 */
export function mergeAccountSettings(
  trx: DatabaseTransaction,
  owner: Owner,
  { change, initial }: AccountChange,
  now: Date,
): Promise<AccountSettings> {
  return trx
    .insertInto('accountSetting')
    .values({ agencyId: owner.agencyId, mode: owner.mode, ...initial, ...change, updatedAt: now })
    .onConflict((conflict) => conflict.columns(['agencyId', 'mode']).doUpdateSet({ ...change, updatedAt: now }))
    .returning(settingColumns)
    .executeTakeFirstOrThrow();
}

/**
 * Reads the webhook URL of an agency in one mode and prevents changes to it until the transaction
 * ends. A change of the URL waits for the events that are being written, and then moves them to the
 * new URL.
 */
export async function shareAccountAddress(trx: DatabaseTransaction, owner: Owner): Promise<string | null> {
  const settings = await trx
    .selectFrom('accountSetting')
    .select('webhookUrl')
    .where(ownedBy(owner, 'accountSetting'))
    .forShare()
    .executeTakeFirst();
  return settings?.webhookUrl ?? null;
}

/** Stores the signing secret of an agency's webhooks in one mode and replaces an earlier one. */
export async function putWebhookSecret(db: Database, owner: Owner, encrypted: string, now: Date): Promise<void> {
  const secret = { secretEncrypted: encrypted, createdAt: now };
  await db
    .insertInto('webhookSecret')
    .values({ agencyId: owner.agencyId, mode: owner.mode, ...secret })
    .onConflict((conflict) => conflict.columns(['agencyId', 'mode']).doUpdateSet(secret))
    .execute();
}

/**
 * Deletes the signing secret of an agency's webhooks in one mode. Resolves with whether there was
 * one.
 */
export async function deleteWebhookSecret(db: Database, owner: Owner): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhookSecret')
    .where(ownedBy(owner, 'webhookSecret'))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
