import type { HttpBindings } from '@hono/node-server';
import type { OperationId } from '../../contract/index.js';

/** What the listener tells the apps about a request, besides the request. */
export interface Bindings extends Partial<HttpBindings> {
  /** The id that the answer carries as `x-request-id`. */
  requestId: string;
  /** The id of the contract's operation that is called. Written by the API. */
  operation?: OperationId;
  /** What the log line of this request says in addition. Written by the app. */
  logged: Record<string, unknown>;
}
