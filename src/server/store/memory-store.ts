import type { ApplicationRecord } from '../applications/record.js';
import { createChangeListeners } from './changes.js';
import type { LicensingStore } from './licensing-store.js';

/**
 * Creates a store in the memory of this process, for development and tests. A restart loses all
 * records: users cannot continue their applications, and the webhooks of these are refused.
 */
export function memoryStore(): LicensingStore {
  const records = new Map<string, ApplicationRecord>();
  const listeners = createChangeListeners();

  /** Copies, so that a caller's later changes stay the caller's, as with a store elsewhere. */
  function recordsWhere(matches: (record: ApplicationRecord) => boolean): ApplicationRecord[] {
    return [...records.values()].filter(matches).map((record) => structuredClone(record));
  }

  return {
    async get(id) {
      return structuredClone(records.get(id));
    },
    async put(record) {
      if ((records.get(record.id)?.version ?? 0) !== record.version - 1) return false;
      records.set(record.id, structuredClone(record));
      return true;
    },
    async byApplication(applicationId) {
      const found = recordsWhere(
        (record) => record.applicationId === applicationId && record.supersededBy === undefined,
      );
      return found.sort(byCreation)[0];
    },
    async byUser(userId, limit) {
      const found = recordsWhere((record) => record.userId === userId && record.supersededBy === undefined);
      return found.sort(byCreation).reverse().slice(0, limit);
    },
    async listOpen(after = '', limit) {
      const found = recordsWhere((record) => record.isOpen && record.id > after);
      return found.sort((left, right) => (left.id < right.id ? -1 : 1)).slice(0, limit);
    },
    async notify(id) {
      listeners.emit(id);
    },
    async subscribe(id, onChange) {
      return listeners.add(id, onChange);
    },
  };
}

function byCreation(left: ApplicationRecord, right: ApplicationRecord): number {
  return Date.parse(left.createdAt) - Date.parse(right.createdAt) || (left.id < right.id ? -1 : 1);
}
