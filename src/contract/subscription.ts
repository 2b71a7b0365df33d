import type { ProducerDetail } from './producer.js';

/** Body of operations 12 and 13. */
export interface SubscriptionRequest {
  /** 1–10,000 national producer numbers, as texts or numbers. */
  npns: readonly (string | number)[];
}

/** Response of operations 12 and 13: the subscriptions that the call changed. */
export interface Subscription {
  /** The agency of the subscriptions. */
  agencyId: string;
  /** The NPNs, in the order of the request. */
  npns: SubscriptionTarget[];
}

/** A subscribed NPN. */
export interface SubscriptionTarget {
  /** National producer number without leading zeros. */
  npn: string;
  /** The time of the first addition, ISO 8601 in UTC. */
  addedAt: string;
}

/** Body of getSubscriptionUpdate (operation 11). */
export interface SubscriptionUpdateRequest {
  /** A subscribed national producer number. */
  npn: string | number;
  /** A day as `YYYY-MM-DD`. */
  reportDate: string;
}

/** Response of getSubscriptionUpdate (operation 11): the newest update on or before a day. */
export interface SubscriptionUpdate {
  /** National producer number without leading zeros. */
  npn: string;
  /** The requested day, unchanged. */
  reportDate: string;
  /** The time of the update, ISO 8601 in UTC. */
  updatedAt: string;
  /** The changed sections of `producer`, such as `licenseInformation`. */
  changes: string[];
  /** The producer as of that update. */
  producer: ProducerDetail;
}
