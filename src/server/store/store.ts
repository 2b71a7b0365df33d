import type { KnownApplication } from '../applications/known-application.js';

/** What ties an application to the user who began it. Written once, when the session is created. */
export interface ApplicationLink {
  /** The id of the application. */
  applicationId: string;
  /** The id of the session that began it. */
  sessionId: string;
  /** Whose it is: the `userId` that `identify` gave. */
  userId: string;
  /** The reference in the capability URL of its webhooks. */
  reference: string;
  /** Where the user applies. A capability: encrypt it at rest if your store is not only yours. */
  applicationUrl: string;
  /** When `applicationUrl` stops working, if the bridge said so. */
  expiresAt?: string | undefined;
  /** The `state` in the query of its `returnUrl`. */
  returnState: string;
  /** As it was asked for. */
  applicationType: string;
  /** As it was asked for. */
  licenseType: string;
  /** The states applied for. */
  states: readonly string[];
  /** US dollars, as estimated at creation. */
  estimatedFees?: { total: number } | undefined;
  /** When it was created, ISO 8601 in UTC. */
  createdAt: string;
}

/** What is known of an application, and how often that changed. */
export interface StoredState {
  /** Counts from 1. */
  version: number;
  application: KnownApplication;
}

/** What became of a delivery that was handed to the store. */
export interface AcceptedDelivery {
  /** Whether this delivery had been accepted before. */
  isDuplicate: boolean;
  /** The number of deliveries accepted for the application, for {@link LicensingStore.settle}. */
  mark: number;
}

/**
 * Where the handler keeps what must outlive a request. Every method is atomic by itself, so that several instances can share
 * one store. Values handed over or out are never changed afterwards.
 */
export interface LicensingStore {
  /** Keeps a link. Resolves once it is durable: the user gets the address only then. */
  saveLink(link: ApplicationLink): Promise<void>;
  /** The link of an application. */
  linkOfApplication(applicationId: string): Promise<ApplicationLink | undefined>;
  /** The link of a capability URL. */
  linkOfReference(reference: string): Promise<ApplicationLink | undefined>;
  /** The links of a user, the newest first. */
  linksOfUser(userId: string): Promise<ApplicationLink[]>;

  /** What is known of an application. */
  readState(applicationId: string): Promise<StoredState | undefined>;
  /** Replaces the state if its version is still `expectedVersion` (0: there is none). Resolves with whether it was. */
  replaceState(applicationId: string, expectedVersion: number, state: StoredState): Promise<boolean>;

  /**
   * Records a delivery and with it that the application has to be read again. Resolves once that is durable: the delivery is
   * acknowledged only then.
   */
  acceptDelivery(applicationId: string, deliveryId: string): Promise<AcceptedDelivery>;
  /** Records that the application was read after delivery number `mark` had been accepted. */
  settle(applicationId: string, mark: number): Promise<void>;
  /** The number of the newest delivery that has not been settled; 0 when all have. */
  unsettledMark(applicationId: string): Promise<number>;

  /** Tells the subscribers of all instances that the state changed. */
  publish(applicationId: string): Promise<void>;
  /** Calls back at every change until the function that it resolves with is called. */
  subscribe(applicationId: string, onChange: () => void): Promise<() => void>;
}
