import type { Fact } from '../applications/facts.js';
import { systemClock, type Clock } from '../clock.js';
import { promised } from '../promised.js';
import type { Acceptance, AcknowledgedDelivery, LicensingStore, StoredState } from './store.js';
import type { ApplicationLink } from '../applications/application-link.js';
import { createSubscribers } from './subscribers.js';

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /** How many applications are kept. Default: 10,000. */
  maxApplications?: number;
  /** Default: the real one. */
  clock?: Pick<Clock, 'now'>;
}

interface Entry {
  link: ApplicationLink;
  references: Set<string>;
  isOpen: boolean;
  state: StoredState | undefined;
  deliveryIds: Set<string>;
  /** Hardly ever more than one. */
  unsettled: readonly AcknowledgedDelivery[];
  facts: readonly Fact[];
  lease: { holder: string; endsAt: number } | undefined;
}

/** The bridge has one delivery of an application in flight, so a repeated one is always among the last few. */
const maxDeliveryIds = 200;

/**
 * A store in the memory of this process: for one instance, and for development. After a restart, users cannot follow the
 * applications begun before it, and their webhooks wait at the bridge in vain.
 *
 * Bounded: of each application the last 200 delivery ids are kept, and beyond `maxApplications` the application that was
 * used least recently and that nobody watches is forgotten.
 * @throws TypeError when there is to be room for none.
 */
export function memoryStore({
  maxApplications = 10_000,
  clock = systemClock,
}: MemoryStoreOptions = {}): LicensingStore {
  if (!(maxApplications >= 1)) throw new TypeError('maxApplications must be at least 1.');
  // A Map remembers the order of insertion: the first entry is the one used least recently.
  const entries = new Map<string, Entry>();
  const applicationOfReference = new Map<string, string>();
  const applicationsOfUser = new Map<string, Set<string>>();
  const subscribers = createSubscribers();

  function use(applicationId: string): Entry | undefined {
    const entry = entries.get(applicationId);
    if (entry) {
      entries.delete(applicationId);
      entries.set(applicationId, entry);
    }
    return entry;
  }

  function makeRoom(): void {
    if (entries.size <= maxApplications) return;
    for (const [applicationId, entry] of entries) {
      if (subscribers.has(applicationId)) continue;
      entries.delete(applicationId);
      for (const reference of entry.references) applicationOfReference.delete(reference);
      const ofUser = applicationsOfUser.get(entry.link.userId);
      ofUser?.delete(applicationId);
      if (ofUser?.size === 0) applicationsOfUser.delete(entry.link.userId);
      return;
    }
  }

  function saveLink(link: ApplicationLink): void {
    const { applicationId, reference, userId } = link;
    const known = use(applicationId) ?? { references: new Set(), deliveryIds: new Set(), unsettled: [], facts: [] };
    const entry: Entry = { state: undefined, lease: undefined, ...known, link, isOpen: true };
    entries.set(applicationId, entry);
    entry.references.add(reference);
    applicationOfReference.set(reference, applicationId);
    const ofUser = applicationsOfUser.get(userId) ?? new Set<string>();
    ofUser.delete(applicationId);
    applicationsOfUser.set(userId, ofUser.add(applicationId));
    makeRoom();
  }

  function firstOf(found: [applicationId: string, entry: Entry][], limit: number): string[] {
    const ids = found.map(([applicationId]) => applicationId);
    return ids.sort().slice(0, limit);
  }

  function openLinks(after = '', limit: number): ApplicationLink[] {
    const open = [...entries].filter(([applicationId, { isOpen }]) => isOpen && applicationId > after);
    return firstOf(open, limit).flatMap((applicationId) => entries.get(applicationId)?.link ?? []);
  }

  function replaceState(applicationId: string, expectedVersion: number, state: StoredState, facts: readonly Fact[]) {
    const entry = entries.get(applicationId);
    if (!entry || (entry.state?.version ?? 0) !== expectedVersion) return false;
    entry.state = state;
    entry.facts = [...entry.facts, ...facts];
    return true;
  }

  function acceptDelivery(applicationId: string, delivery: AcknowledgedDelivery): Acceptance {
    const entry = entries.get(applicationId);
    if (!entry) throw new Error('This application was forgotten.');
    const { deliveryIds, unsettled } = entry;
    if (unsettled.some(({ id }) => id === delivery.id)) return 'unsettled';
    if (deliveryIds.has(delivery.id)) return 'settled';
    deliveryIds.add(delivery.id);
    const [oldest] = deliveryIds.size > maxDeliveryIds ? deliveryIds : [];
    if (oldest !== undefined) deliveryIds.delete(oldest);
    entry.unsettled = [...unsettled, delivery];
    return 'new';
  }

  function claimFacts(applicationId: string, holder: string, leaseMs: number): readonly Fact[] | undefined {
    const entry = entries.get(applicationId);
    if (!entry || entry.facts.length === 0 || isTaken(entry, holder)) return undefined;
    entry.lease = { holder, endsAt: clock.now() + leaseMs };
    return entry.facts;
  }

  function isTaken({ lease }: Entry, holder?: string): boolean {
    return lease !== undefined && lease.holder !== holder && lease.endsAt > clock.now();
  }

  function strikeFact(applicationId: string, holder: string, factId: string): boolean {
    const entry = entries.get(applicationId);
    if (!entry) return false;
    entry.facts = entry.facts.filter(({ fact }) => fact.factId !== factId);
    return entry.lease?.holder === holder;
  }

  function hasLeftWork(entry: Entry, receivedBefore: string): boolean {
    if (entry.facts.length > 0 && !isTaken(entry)) return true;
    return entry.unsettled.some(({ receivedAt }) => receivedAt < receivedBefore);
  }

  return {
    saveLink: promised(saveLink),
    linkOfApplication: promised((applicationId: string) => use(applicationId)?.link),
    linkOfReference: promised((reference: string) => use(applicationOfReference.get(reference) ?? '')?.link),
    linksOfUser: promised((userId: string, limit: number) => {
      const newestFirst = [...(applicationsOfUser.get(userId) ?? [])].reverse().slice(0, limit);
      return newestFirst.flatMap((applicationId) => entries.get(applicationId)?.link ?? []);
    }),
    openLinks: promised(openLinks),
    finish: promised((applicationId: string) => {
      const entry = entries.get(applicationId);
      if (entry) entry.isOpen = false;
    }),
    readState: promised((applicationId: string) => entries.get(applicationId)?.state),
    replaceState: promised(replaceState),
    acceptDelivery: promised(acceptDelivery),
    unsettledDeliveries: promised((applicationId: string) => [...(entries.get(applicationId)?.unsettled ?? [])]),
    settleDeliveries: promised((applicationId: string, deliveryIds: readonly string[]) => {
      const entry = entries.get(applicationId);
      if (entry) entry.unsettled = entry.unsettled.filter(({ id }) => !deliveryIds.includes(id));
    }),
    claimFacts: promised(claimFacts),
    strikeFact: promised(strikeFact),
    releaseFacts: promised((applicationId: string, holder: string) => {
      const entry = entries.get(applicationId);
      if (entry?.lease?.holder === holder) entry.lease = undefined;
    }),
    applicationsWithLeftWork: promised(({ receivedBefore, after = '', limit }) => {
      const left = [...entries].filter(([id, entry]) => id > after && hasLeftWork(entry, receivedBefore));
      return firstOf(left, limit);
    }),
    publish: promised(subscribers.tell),
    subscribe: promised(subscribers.add),
  };
}
