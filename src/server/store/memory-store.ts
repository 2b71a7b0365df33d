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
    const fresh = {
      state: undefined,
      deliveryIds: new Set<string>(),
      accepted: 0,
      settled: 0,
      listeners: new Set<() => void>(),
    };
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

  function unsettledMark(applicationId: string): number {
    const entry = entries.get(applicationId);
    return entry && entry.accepted > entry.settled ? entry.accepted : 0;
  }

  function settle(applicationId: string, mark: number): void {
    const entry = entries.get(applicationId);
    if (entry) entry.settled = Math.max(entry.settled, mark);
  }

  function publish(applicationId: string): void {
    for (const listener of [...(entries.get(applicationId)?.listeners ?? [])]) listener();
  }

  function linksOfUser(userId: string): ApplicationLink[] {
    const newestFirst = [...(applicationsOfUser.get(userId) ?? [])].reverse();
    return newestFirst.flatMap((applicationId) => entries.get(applicationId)?.link ?? []);
  }

  return {
    saveLink: promised(saveLink),
    linkOfApplication: promised((applicationId: string) => use(applicationId)?.link),
    linkOfReference: promised((reference: string) => use(applicationOfReference.get(reference) ?? '')?.link),
    linksOfUser: promised(linksOfUser),
    readState: promised((applicationId: string) => use(applicationId)?.state),
    replaceState: promised(replaceState),
    acceptDelivery: promised(acceptDelivery),
    settle: promised(settle),
    unsettledMark: promised(unsettledMark),
    publish: promised(publish),
    subscribe: promised(subscribe),
  };
}

/** A function that answers at once as one that answers with a promise, and rejects where that one throws. */
function promised<Input extends unknown[], Result>(answer: (...input: Input) => Result) {
  return function promisedAnswer(...input: Input): Promise<Result> {
    return new Promise((resolve) => {
      resolve(answer(...input));
    });
  };
}
