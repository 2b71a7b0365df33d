import type { LicensingUser, SessionOptions } from '../../contract/index.js';
import type { ReconcileOptions, ReconcileSummary } from '../applications/reconcile.js';
import type { FactListeners } from '../applications/teller.js';
import type { BridgeClient } from '../client/bridge-client.js';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { LicensingStore } from '../store/store.js';
import type { WebhookCheck, WebhookVerdict } from '../webhooks/webhook-check.js';

export type { LicensingUser, SessionOptions } from '../../contract/index.js';

/** Who is told what. */
export interface LicensingListeners extends FactListeners {
  /** What became of a webhook: which checks ran and what they said. Told once; an error thrown here is only logged. */
  webhook?(verdict: WebhookVerdict): unknown;
}

/** Which pages of other origins may call the handler with a user's cookies. */
export interface CorsOptions {
  /** Exact origins, such as `https://www.agency.example`. No wildcards. */
  origins: readonly string[];
  /** Names of request headers that these pages send beside `content-type`, such as `authorization`. Default: none. */
  headers?: readonly string[];
}

/** How many event streams are open at the same time on this instance. */
export interface StreamLimits {
  /** For one user; the next one is 429. Default: 20. */
  maxPerUser?: number;
  /** For all users; the next one is 503. Default: 10,000. */
  maxTotal?: number;
}

/** Options of `createLicensingHandler`. `Context` is what the handler is called with beside a request, such as a `NodeContext`. */
export interface LicensingHandlerOptions<Context = unknown> {
  /** From `createBridgeClient`. */
  bridge: Pick<BridgeClient, 'profiles' | 'sessions' | 'applications'>;
  /**
   * At least 32 random characters, such as those of `openssl rand -base64 32`. Signs webhook addresses. To rotate, put the new
   * one in front and keep the old one for as long as applications begun with it are open.
   */
  secret: string | readonly string[];
  /** The absolute address under which the handler is mounted, such as `https://agency.example/licensing`. */
  publicUrl: string;
  /**
   * Says who sent a request, by your own session; `null` when nobody is signed in. The second argument is that of the handler;
   * behind `toNodeListener`, its `incoming` is the request of Express or Fastify with what your middleware put on it.
   */
  identify: (request: Request, context: Context) => LicensingUser | null | Promise<LicensingUser | null>;
  /** Says what this user applies for. The body of the request has been read. */
  session: (request: Request, user: LicensingUser) => SessionOptions | Promise<SessionOptions>;
  /** Default: `memoryStore()`, for one instance. */
  store?: LicensingStore;
  /** What a webhook has to pass besides the capability in its address. Default: `[confirmWithBridge()]`. */
  checks?: readonly WebhookCheck[];
  /** Who is told what. */
  on?: LicensingListeners;
  /** Where log lines go; what it throws is ignored. Default: nobody listens. */
  log?: Log;
  /**
   * The address under which the bridge reaches the handler's `/webhooks`, when that is not `publicUrl`: a tunnel, or another
   * host. Default: `{publicUrl}/webhooks`.
   */
  webhookUrl?: string;
  /** Pages of other origins that may call the handler. Default: none, so that no other site can. */
  cors?: CorsOptions;
  /** How many browsers may follow their applications at the same time. */
  streams?: StreamLimits;
  /**
   * The address at the other end of the connection, for `allowAddresses`. Default: what `toNodeListener`, `Bun.serve` and
   * `Deno.serve` hand over; elsewhere say it here. Never take it from a header that a caller can write.
   */
  peerAddress?: (request: Request, context: Context) => string | undefined | Promise<string | undefined>;
  /** Default: the real one. */
  clock?: Clock;
}

/** What a runtime gives beside a request. */
export interface RequestContext {
  /** The address at the other end of the connection. */
  peerAddress?: string | undefined;
  /** Keeps a serverless instance alive for the work after an answer. */
  waitUntil?(work: Promise<unknown>): void;
}

/**
 * Answers the requests below `publicUrl`. Takes what Hono, Next, Bun, Deno and Workers hand over as it is; for Express,
 * Fastify and `node:http` see `licensing-apply/server/node`.
 */
export interface LicensingHandler<Context = unknown> {
  /** The answer to a request. Never rejects. */
  (request: Request, context?: Context): Promise<Response>;
  /**
   * Reads every open application again, tells what became known, and does what instances left undone that are gone. Finds what
   * webhooks failed to say: call it at the start, and every ten minutes or so from a timer or a cron job. It can run on
   * several instances at once. Rejects when the store fails.
   */
  reconcile(options?: ReconcileOptions): Promise<ReconcileSummary>;
  /** Ends the event streams and the work in the background. Webhooks that arrive later are refused, so the bridge repeats them. */
  close(): Promise<void>;
}
