import type { ApplicationLink, LicensingStore, StoredState } from './store.js';

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /** How many applications are kept. Default: 10,000. */
  maxApplications?: number;
}

interface Entry {
  link: ApplicationLink;
  state: StoredState | undefined;
  deliveryIds: Set<string>;
  accepted: number;
  settled: number;
  listeners: Set<() => void>;
}

/** The bridge has one delivery of an application in flight, so a repeated one is always among the last few. */
const maxDeliveryIds = 200;

/**
 * A store in the memory of this process: for one instance, and for development. After a restart, users cannot follow the
 * applications begun before it, and their webhooks wait at the bridge in vain.
 *
 * Bounded: of each application the last 200 delivery ids are kept, and beyond `maxApplications` the application that was
 * used least recently and that nobody watches is forgotten.
 */
export function memoryStore({ maxApplications = 10_000 }: MemoryStoreOptions = {}): LicensingStore {
  // A Map remembers the order of insertion: the first entry is the one used least recently.
  const entries = new Map<string, Entry>();
  const applicationOfReference = new Map<string, string>();
  const applicationsOfUser = new Map<string, Set<string>>();

  function use(applicationId: string): Entry | undefined {
    const entry = entries.get(applicationId);
    if (entry) {
      entries.delete(applicationId);
      entries.set(applicationId, entry);
    }
    return entry;
  }

  function forget(applicationId: string, { link }: Entry): void {
    entries.delete(applicationId);
    applicationOfReference.delete(link.reference);
    const ofUser = applicationsOfUser.get(link.userId);
    ofUser?.delete(applicationId);
    if (ofUser?.size === 0) applicationsOfUser.delete(link.userId);
  }

  function makeRoom(): void {
    if (entries.size <= maxApplications) return;
    for (const [applicationId, entry] of entries) {
      if (entry.listeners.size > 0) continue;
      forget(applicationId, entry);
      return;
    }
  }

  function saveLink(link: ApplicationLink): void {
    const known = entries.get(link.applicationId);
    const fresh = { state: undefined, deliveryIds: new Set<string>(), accepted: 0, settled: 0, listeners: new Set<() => void>() };
    entries.set(link.applicationId, { ...(known ?? fresh), link });
    applicationOfReference.set(link.reference, link.applicationId);
    const ofUser = applicationsOfUser.get(link.userId) ?? new Set<string>();
    applicationsOfUser.set(link.userId, ofUser.add(link.applicationId));
    makeRoom();
  }

  function replaceState(applicationId: string, expectedVersion: number, state: StoredState): boolean {
    const entry = use(applicationId);
    if (!entry || (entry.state?.version ?? 0) !== expectedVersion) return false;
    entry.state = state;
    return true;
  }

  function acceptDelivery(applicationId: string, deliveryId: string) {
    const entry = use(applicationId);
    if (!entry) throw new Error('The application of this delivery was forgotten.');
    if (entry.deliveryIds.has(deliveryId)) return { isDuplicate: true, mark: entry.accepted };
    entry.deliveryIds.add(deliveryId);
    const [oldest] = entry.deliveryIds;
    if (entry.deliveryIds.size > maxDeliveryIds && oldest !== undefined) entry.deliveryIds.delete(oldest);
    entry.accepted += 1;
    return { isDuplicate: false, mark: entry.accepted };
  }

  function subscribe(applicationId: string, onChange: () => void): () => void {
    const entry = use(applicationId);
    // A wrapper of its own, so that the same function can subscribe twice.
    const listener = () => {
      onChange();
    };
    entry?.listeners.add(listener);
    return () => {
      entry?.listeners.delete(listener);
    };
  }

  return {
    saveLink: async (link) => saveLink(link),
    linkOfApplication: async (applicationId) => use(applicationId)?.link,
    linkOfReference: async (reference) => use(applicationOfReference.get(reference) ?? '')?.link,
    linksOfUser: async (userId) =>
      [...(applicationsOfUser.get(userId) ?? [])].reverse().flatMap((id) => entries.get(id)?.link ?? []),
    readState: async (applicationId) => use(applicationId)?.state,
    replaceState: async (applicationId, expectedVersion, state) => replaceState(applicationId, expectedVersion, state),
    acceptDelivery: async (applicationId, deliveryId) => acceptDelivery(applicationId, deliveryId),
    settle: async (applicationId, mark) => {
      const entry = entries.get(applicationId);
      if (entry) entry.settled = Math.max(entry.settled, mark);
    },
    unsettledMark: async (applicationId) => {
      const entry = entries.get(applicationId);
      return entry && entry.accepted > entry.settled ? entry.accepted : 0;
    },
    publish: async (applicationId) => {
      for (const listener of [...(entries.get(applicationId)?.listeners ?? [])]) listener();
    },
    subscribe: async (applicationId, onChange) => subscribe(applicationId, onChange),
  };
}
