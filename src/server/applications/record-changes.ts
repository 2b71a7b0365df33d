import type { ApplicationRecord, LicensingStore } from '../store/licensing-store.js';
import { pendingEvents } from './events.js';
import { isDecided, isSubmitted } from './known-application.js';

/** Returns the next version of a record. `isOpen` follows from the rest unless it is changed. */
export async function nextVersion(
  record: ApplicationRecord,
  change: Partial<ApplicationRecord>,
): Promise<ApplicationRecord> {
  const next = { ...record, ...change, version: record.version + 1 };
  return { ...next, isOpen: change.isOpen ?? (await isStillOpen(next)) };
}

async function isStillOpen(record: ApplicationRecord): Promise<boolean> {
  const { application, supersededBy } = record;
  if (supersededBy !== undefined) return false;
  return !application || !isDecided(application) || (await pendingEvents(record)).length > 0;
}

/**
 * Whether nothing is expected of the application: every state is final and every event delivered.
 * Only a corrected decision changes it then. A record that is only abandoned is closed as well, but
 * may still change.
 */
export function isSettled({ isOpen, application }: ApplicationRecord): boolean {
  return !isOpen && application !== undefined && isDecided(application);
}

/** More conflicts in a row than instances cause by chance. */
const maxAttempts = 20;

/**
 * Changes a record that other instances may change at the same time. `change` returns the fields to
 * change, or `undefined` for no change; it is called again after each conflict. Resolves with the
 * written record, or `undefined` without a change.
 */
export async function updateRecord(
  store: LicensingStore,
  id: string,
  change: (record: ApplicationRecord) => Partial<ApplicationRecord> | undefined,
): Promise<ApplicationRecord | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const record = await store.get(id);
    const changes = record && change(record);
    if (!record || !changes) return undefined;
    const next = await nextVersion(record, changes);
    if (await store.put(next)) return next;
  }
  throw new Error('Other instances keep writing this record.');
}

/** Whether the user can still work on the application: it has a session and is not submitted. */
export function isUnfinished({ session, application, supersededBy }: ApplicationRecord): boolean {
  return session !== undefined && supersededBy === undefined && !(application && isSubmitted(application));
}
