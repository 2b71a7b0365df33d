/** What ties an application to the user who began it. Written when a session is created: the first one, and each that follows it. */
export interface ApplicationLink {
  /** The id of the application. */
  applicationId: string;
  /** The id of its newest session. */
  sessionId: string;
  /** Whose it is: the `userId` that `identify` gave. */
  userId: string;
  /** The reference in the capability URL of its webhooks. Those of earlier sessions stay good. */
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
  /** When the session was created, ISO 8601 in UTC. */
  createdAt: string;
}
