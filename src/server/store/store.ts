import type { ApplicationLink } from '../applications/application-link.js';
import type { Fact } from '../applications/facts.js';
import type { KnownApplication } from '../applications/known-application.js';

/** What is known of an application, and how often that changed. */
export interface StoredState {
  /** Counts from 1. */
  version: number;
  /** The application itself. */
  application: KnownApplication;
}

/** A webhook that was acknowledged, as far as the store keeps it: never its body. */
export interface AcknowledgedDelivery {
  /** Tells deliveries of an application apart. */
  id: string;
  /** What it says it is. */
  type: string;
  /** When it arrived, ISO 8601 in UTC. */
  receivedAt: string;
}

/**
 * What the store knew of a delivery that was handed to it.
 *
 * - `new`: nothing; now it is kept.
 * - `unsettled`: it was acknowledged before, and nobody has dealt with it yet.
 * - `settled`: it was dealt with.
 */
export type Acceptance = 'new' | 'unsettled' | 'settled';

/** Which left work is looked for. */
export interface LeftWorkQuery {
  /** A delivery counts as left when it arrived before this, ISO 8601 in UTC. */
  receivedBefore: string;
  /** Only those behind this application, in an order of the store's own. Absent: from the first one. */
  after?: string | undefined;
  /** How many applications at most. */
  limit: number;
}

/**
 * Where the handler keeps what must outlive a request. Every method is atomic by itself, so that several instances can share
 * one store. What a method wrote is durable when its promise resolves. Values handed over or out are never changed afterwards.
 */
export interface LicensingStore {
  /**
   * Keeps the link of a new application, which is open until {@link finish}. The user gets the address only afterwards. The link of
   * an application that is there already, made for its next session, takes the place of the one before, and the application is
   * open again: it counts as finished when a session ends before it is submitted. All else stays as it is, and
   * {@link linkOfReference} finds it by every reference that it ever had.
   */
  saveLink(link: ApplicationLink): Promise<void>;
  /** The link of an application. */
  linkOfApplication(applicationId: string): Promise<ApplicationLink | undefined>;
  /** The link of a capability URL. */
  linkOfReference(reference: string): Promise<ApplicationLink | undefined>;
  /** The links of a user, the newest first. */
  linksOfUser(userId: string, limit: number): Promise<ApplicationLink[]>;
  /** The links of open applications in an order of the store's own, those behind the application `after`. */
  openLinks(after: string | undefined, limit: number): Promise<ApplicationLink[]>;
  /** Records that nothing will change any more: the application is no longer open. */
  finish(applicationId: string): Promise<void>;

  /** What is known of an application. */
  readState(applicationId: string): Promise<StoredState | undefined>;
  /**
   * Replaces the state if its version is still `expectedVersion` (0: there is none), and in the same step appends the facts to
   * those that are to be told. Resolves with whether it did.
   */
  replaceState(
    applicationId: string,
    expectedVersion: number,
    state: StoredState,
    facts: readonly Fact[],
  ): Promise<boolean>;

  /** Keeps a delivery until it is settled, and remembers at least the last 200 ids. It is acknowledged only afterwards. */
  acceptDelivery(applicationId: string, delivery: AcknowledgedDelivery): Promise<Acceptance>;
  /** The deliveries that nobody has dealt with yet. */
  unsettledDeliveries(applicationId: string): Promise<AcknowledgedDelivery[]>;
  /** Records that these deliveries were dealt with. */
  settleDeliveries(applicationId: string, deliveryIds: readonly string[]): Promise<void>;

  /**
   * The facts that are to be told, the oldest first, for the one who may tell them: nobody else gets them for `leaseMs`, by the
   * store's clock. `undefined` when there are none, or when somebody else has them. Asking again prolongs the lease.
   */
  claimFacts(applicationId: string, holder: string, leaseMs: number): Promise<readonly Fact[] | undefined>;
  /** Strikes a fact that was told. Resolves with whether the lease is still the holder's. */
  strikeFact(applicationId: string, holder: string, factId: string): Promise<boolean>;
  /** Ends the lease of this holder. */
  releaseFacts(applicationId: string, holder: string): Promise<void>;

  /** Applications with deliveries that were left unsettled, or with facts that nobody is telling. */
  applicationsWithLeftWork(query: LeftWorkQuery): Promise<string[]>;

  /** Tells the subscribers of all instances that the state changed. */
  publish(applicationId: string): Promise<void>;
  /**
   * Calls back at every change until the function that it resolves with is called. After an interruption it calls back once,
   * for whatever was missed.
   */
  subscribe(applicationId: string, onChange: () => void): Promise<() => void>;
  /** Ends the connection on which the store listens, if it has one. */
  close?(): Promise<void>;
}
