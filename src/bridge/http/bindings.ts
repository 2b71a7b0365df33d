import type { HttpBindings } from '@hono/node-server';
import type { OperationId } from '../../contract/index.js';

/** What the listener tells the apps about a request, besides the request. */
export interface Bindings extends Partial<HttpBindings> {
  /** The id that the answer carries as `x-request-id`. */
  requestId: string;
  /** Where the request came from: see `callerAddress`. */
  address: string;
  /** The id of the contract's operation that is called. Written by the API. */
  operation?: OperationId;
  /** The pattern of the route that is called, where the app knows it. Written by the API. */
  route?: string;
  /** What the log line of this request says in addition. Written by the app. */
  logged: Record<string, unknown>;
}

/**
 * Whether the other side left, or was sent away for being slow, before its request was complete. What fails then is no failure
 * of ours, and nobody is there to read an answer.
 */
export function isCutOff({ incoming }: Bindings): boolean {
  return incoming !== undefined && incoming.destroyed && !incoming.complete;
}
