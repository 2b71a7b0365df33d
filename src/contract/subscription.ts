import type { ProducerDetail } from './producer.js';

/** Body of operations 12 and 13. */
export interface SubscriptionRequest {
  /** 1–10,000 national producer numbers, as texts or numbers. */
  npns: readonly (string | number)[];
}

/** Answer of operations 12 and 13: those that the call touched. */
export interface Subscription {
  /** Whose subscriptions they are. */
  agencyId: string;
  /** The NPNs, in the order of the request. */
  npns: SubscriptionTarget[];
}

/** An NPN whose updates an agency follows. */
export interface SubscriptionTarget {
  /** National producer number without leading zeros. */
  npn: string;
  /** When it was first added, ISO 8601 in UTC. */
  addedAt: string;
}

/** Body of operation 11. */
export interface SubscriptionUpdateRequest {
  /** A subscribed national producer number. */
  npn: string | number;
  /** A day as `YYYY-MM-DD`. */
  reportDate: string;
}

/** Answer of operation 11: the newest update on or before a day. */
export interface SubscriptionUpdate {
  /** National producer number without leading zeros. */
  npn: string;
  /** The day that was asked for, as it was sent. */
  reportDate: string;
  /** When the update came, ISO 8601 in UTC. */
  updatedAt: string;
  /** The sections of `producer` that changed, such as `licenseInformation`. */
  changes: string[];
  /** The producer as of that update. */
  producer: ProducerDetail;
}
