import type { ApplicationRecord } from '../applications/record.js';

/**
 * Where the handler keeps one record for each application. A store of your own needs the first five
 * methods; each is one step by itself, because several instances share the store.
 */
export interface LicensingStore {
  /** Resolves with the record of this id, also when it is superseded. */
  get(id: string): Promise<ApplicationRecord | undefined>;
  /**
   * Writes the record if the stored version is `record.version - 1` (for version 1: if there is
   * none), and resolves with whether it did. The record is durable when the promise resolves.
   */
  put(record: ApplicationRecord): Promise<boolean>;
  /**
   * Resolves with the record of this application that is not superseded. If two are there for a
   * moment, it is the one that was created first.
   */
  byApplication(applicationId: string): Promise<ApplicationRecord | undefined>;
  /**
   * Resolves with the user's records that are not superseded, newest first, at most `limit` (1 or
   * more).
   */
  byUser(userId: string, limit: number): Promise<ApplicationRecord[]>;
  /**
   * Resolves with open records ordered by id, at most `limit` (1 or more): those after the id
   * `after`, or from the first one. An empty list means that there are no more.
   */
  listOpen(after: string | undefined, limit: number): Promise<ApplicationRecord[]>;
  /**
   * Notifies the subscribers of all instances that a record changed. Without it, event streams poll
   * every few seconds.
   */
  notify?(id: string): Promise<void>;
  /**
   * Calls `onChange` after each change of the record until the returned function is called. Also
   * calls it after the connection was interrupted, because a change may have been missed. Without
   * it, event streams poll every few seconds.
   */
  subscribe?(id: string, onChange: () => void): Promise<() => void>;
  /** Closes the connections that the store opened. Those that it was given stay open. */
  close?(): Promise<void>;
}
