import type { CreateSessionRequest, ReceivedApplicationState, ReceivedProgress } from '../../contract/index.js';

/**
 * The store of the handler, with one record for each application. Each method is atomic, because
 * several instances share the store.
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
}

/**
 * The stored data of one application. It contains capabilities: encrypt it at rest if others can
 * read your store.
 */
export interface ApplicationRecord {
  /**
   * 22 base64url characters, made from `userId` and the first `returnState`, so that the same
   * request twice is one record. It is part of the webhook URL.
   */
  id: string;
  /** Counts from 1. Each write is the next version. */
  version: number;
  /** The partner's own id for the user, as `identify` returned it. Never changes. */
  userId: string;
  /**
   * Whether `reconcile` reads it: `false` once every state is final and every event delivered, when
   * the user can no longer continue it, or when the record is superseded.
   */
  isOpen: boolean;
  /** The time of version 1, ISO 8601 in UTC. Never changes. */
  createdAt: string;
  /**
   * The request of `createSession` (operation 18). It is repeated for a session whose response was
   * lost.
   */
  request: Pick<CreateSessionRequest, 'applicationType' | 'licenseType' | 'states' | 'paymentMethod' | 'returnUrl'>;
  /** The id of the application. Absent until the bridge has answered; never changes afterwards. */
  applicationId?: string | undefined;
  /** The newest session. Absent until the bridge has answered. */
  session?: RecordedSession | undefined;
  /** When the sessions of the last hour were created, ISO 8601. Absent before the first one. */
  sessionsAt?: string[] | undefined;
  /**
   * The application from the last read. Absent before. A submitted application stays submitted, and a
   * final status is replaced only by a later one.
   */
  application?: KnownApplication | undefined;
  /** The handled changes, by slot: `progress`, `submitted`, `status:TX`, `requiresAction:TX`. */
  delivered: Record<string, DeliveredValue>;
  /** The instance that is calling the listeners. Absent when none is. */
  lease?: RecordLease | undefined;
  /**
   * The id of the record that has this application. Set when the bridge resumed an application
   * that was there already.
   */
  supersededBy?: string | undefined;
}

/**
 * The application without unknown fields of the host: only those of getApplication (operation 19).
 */
export interface KnownApplication {
  /** The id of the application. */
  applicationId: string;
  /** Its newest session; "" when the host does not say. */
  sessionId: string;
  /** The partner's own id for the user. */
  userId: string;
  /** As in createSession (operation 18). */
  applicationType: string;
  /** As in createSession (operation 18). */
  licenseType: string;
  /** The time of the submission, ISO 8601; absent before. */
  submittedAt?: string;
  /** The short number on the receipt; absent before the submission, and when the host does not say. */
  receiptNumber?: string;
  /** The progress of the user. */
  progress: ReceivedProgress;
  /** The status of each state; empty until submitted. */
  states: ReceivedApplicationState[];
}

/** The stored part of a session. */
export interface RecordedSession {
  /** The id of the session. */
  sessionId: string;
  /** The URL of the application. A capability: never log it. */
  applicationUrl: string;
  /**
   * When `applicationUrl` stops working, ISO 8601 in UTC. Absent when the bridge does not say so.
   */
  expiresAt?: string | undefined;
  /**
   * US dollars, as estimated when the session was created. Absent when the bridge does not say so.
   */
  estimatedFees?: { total: number } | undefined;
  /** The `state` in the query of the session's `returnUrl`. */
  returnState: string;
}

/** The last value of a slot that the listeners have handled. */
export interface DeliveredValue {
  /** The value, or a short hash of a long one. */
  value: string;
  /**
   * The number of values of this slot so far. It distinguishes the ids of events when a value
   * occurs again.
   */
  count: number;
}

/** The right to call the listeners for one record. */
export interface RecordLease {
  /** Identifies the instance. */
  holder: string;
  /** The end of the lease, ISO 8601 in UTC. */
  until: string;
}

/**
 * Creates a store in the memory of this process, for development and tests. A restart loses all
 * records: users cannot continue their applications, and the webhooks of these are refused.
 */
export function memoryStore(): LicensingStore {
  const records = new Map<string, ApplicationRecord>();

  /** Copies, so that a caller's later changes do not affect the store. */
  function recordsWhere(matches: (record: ApplicationRecord) => boolean): ApplicationRecord[] {
    return [...records.values()].filter(matches).map((record) => structuredClone(record));
  }

  function notSuperseded(matches: (record: ApplicationRecord) => boolean): ApplicationRecord[] {
    return recordsWhere((record) => matches(record) && record.supersededBy === undefined).sort(byCreation);
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
      return notSuperseded((record) => record.applicationId === applicationId)[0];
    },
    async byUser(userId, limit) {
      return notSuperseded((record) => record.userId === userId)
        .reverse()
        .slice(0, limit);
    },
    async listOpen(after = '', limit) {
      const found = recordsWhere((record) => record.isOpen && record.id > after);
      return found.sort((left, right) => (left.id < right.id ? -1 : 1)).slice(0, limit);
    },
  };
}

function byCreation(left: ApplicationRecord, right: ApplicationRecord): number {
  return Date.parse(left.createdAt) - Date.parse(right.createdAt) || (left.id < right.id ? -1 : 1);
}
