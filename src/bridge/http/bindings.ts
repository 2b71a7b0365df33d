import type { HttpBindings } from '@hono/node-server';

/** What the listener tells the apps about a request, besides the request. */
export interface Bindings extends Partial<HttpBindings> {
  /** The id that the answer carries as `x-request-id`. */
  requestId: string;
  /** What the log line of this request says in addition. Written by the app. */
  logged: Record<string, unknown>;
}
