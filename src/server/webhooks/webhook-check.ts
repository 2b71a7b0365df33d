import type { FactSubject } from '../applications/facts.js';
import type { KnownApplication } from '../applications/known-application.js';
import type { Delivery } from './delivery.js';

/** What a check may look at. */
export interface WebhookContext {
  /** The application that the address was made for. Never taken from the body. */
  application: FactSubject;
  /** What arrived. */
  delivery: Delivery;
  /** The headers of the request. */
  headers: Headers;
  /** The address at the other end of the connection, as far as the runtime says: that of the last proxy, if there is one. */
  peerAddress: string | undefined;
  /**
   * Reads the application from the bridge and tells the listeners what is new. Checks of your own that decide whether
   * anybody is told anything come before the first one that calls this.
   */
  readApplication: () => Promise<KnownApplication>;
}

/** What a check found. */
export interface WebhookCheckResult {
  /** Whether the delivery passes. The checks after one that fails are not run. */
  ok: boolean;
  /** Why not, or a remark. Ends up in the verdict and in logs: no personal data. */
  reason?: string;
  /** Whether the same delivery may pass in a moment: it is then checked again, a few times, with growing pauses. */
  mayPassLater?: boolean;
}

/** A condition that a webhook has to meet. They run in order, after the delivery was acknowledged. */
export interface WebhookCheck {
  /** Stands in the verdict. */
  name: string;
  /** Looks at a delivery. One that throws, or takes longer than a minute, is run again later. */
  check(context: WebhookContext): WebhookCheckResult | Promise<WebhookCheckResult>;
}

/** What one check said of a delivery. */
export interface WebhookVerdictCheck {
  name: string;
  ok: boolean;
  reason: string | undefined;
}

/** What became of one delivery. Holds nothing of its body but its id and type, so that it can be logged and shown. */
export interface WebhookVerdict {
  /** The id of the delivery; "" when it was refused before that was read. */
  id: string;
  /** What the delivery says it is; `unknown` when it does not say. */
  type: string;
  /** The application that the address was made for. */
  applicationId: string;
  /** When it arrived, ISO 8601 in UTC. */
  receivedAt: string;
  /** All checks that ran, in order: `capability`, `body`, `application`, `room`, then those of `checks`. */
  checks: WebhookVerdictCheck[];
  /**
   * - `accepted`: every check passed.
   * - `duplicate`: it had been accepted before, so nothing was done.
   * - `refused`: a check failed.
   * - `deferred`: nothing was decided here: the bridge repeats it, or another instance takes it over.
   */
  outcome: 'accepted' | 'duplicate' | 'refused' | 'deferred';
}
