import { z } from 'zod';
import type { LicensingUser, SessionOptions } from '../../contract/index.js';
import type { LicensingListeners } from '../applications/events.js';
import type { ReconcileOptions, ReconcileSummary } from '../applications/reconcile.js';
import type { BridgeClient } from '../client/bridge-client.js';
import type { Clock } from '../scheduling.js';
import { anything, functionSchema, methodsSchema } from '../configuration.js';
import type { Log } from '../log.js';
import type { LicensingStore } from '../store/licensing-store.js';
import type { WebhookVerifier } from '../webhooks/verify-webhook.js';

/**
 * Options of `createLicensingHandler`. `Context` is the second argument of the handler, such as the
 * `NodeContext` of `toNodeListener`.
 */
export interface LicensingHandlerOptions<Context = unknown> {
  /** Client of the bridge, from `createBridgeClient`. */
  bridge: Pick<BridgeClient, 'profiles' | 'sessions' | 'applications'> & {
    /** Only for `on.producer`. */
    producers?: Pick<BridgeClient['producers'], 'getSubscriptionUpdate'>;
  };
  /**
   * Secret that signs webhook URLs: at least 32 random characters, such as those of
   * `openssl rand -base64 32`. To rotate, put the new one in front and keep the old one for as long
   * as applications that were begun with it are open.
   */
  secret: string | readonly string[];
  /**
   * Absolute URL under which the handler is mounted, such as `https://agency.example/licensing`.
   */
  publicUrl: string;
  /**
   * Finds the user of a request by your own sign-in; `null` when there is none. Behind
   * `toNodeListener`, `context.incoming` is the request of Express or Fastify with all that your
   * middleware added to it. It is called again, with the same request, before an event stream sends
   * a change.
   */
  identify: (request: Request, context: Context) => LicensingUser | null | Promise<LicensingUser | null>;
  /** Returns the session that the user applies for. The body of the request has been read. */
  session: (request: Request, user: LicensingUser, context: Context) => SessionOptions | Promise<SessionOptions>;
  /** Store of the records. Default: `memoryStore()`, for one instance and for development. */
  store?: LicensingStore;
  /** Listeners for changes of applications, and of the records of producers. Default: none. */
  on?: LicensingListeners;
  /**
   * Secret with which the bridge signs the webhooks of your agency (`whsec_…`), or several while it
   * is being rotated: webhooks without a valid signature are then refused. Default: none, and
   * signatures are not read.
   */
  webhookSecret?: string | readonly string[];
  /** Check of webhooks besides their signed URL, such as `allowAddresses([…])`. Default: none. */
  verifyWebhook?: WebhookVerifier;
  /** Logger. Default: `consoleLog`, one line for each event of level `info` and above. */
  log?: Log;
  /**
   * URL under which the bridge reaches the handler's `/webhooks`, where that is not `publicUrl`: a
   * tunnel, or another host. Default: `{publicUrl}/webhooks`.
   */
  webhookUrl?: string;
  /**
   * Exact origins of other pages that may call the handler with a user's cookies, such as
   * `https://www.agency.example`. Default: none.
   */
  allowedOrigins?: readonly string[];
  /**
   * Returns the peer address of the connection, for `allowAddresses`. Default: the one that
   * `toNodeListener`, `Bun.serve` and `Deno.serve` provide. Never take it from a header that a
   * caller can write.
   */
  peerAddress?: (request: Request, context: Context) => string | undefined | Promise<string | undefined>;
  /**
   * Whether a user who opens the element again continues their unfinished application of the same
   * type, license and states. Default: `true`.
   */
  resumeUnfinished?: boolean;
  /** The maximum number of unfinished applications of a user; the next one is 429. Default: 10. */
  maxUnfinishedApplications?: number;
  /**
   * Minutes between two runs of `reconcile()` on this instance, from its first request on. Default:
   * 10. `0` turns it off: call `reconcile()` from a cron job where instances do not live between
   * requests (Lambda, Vercel, Workers).
   */
  reconcileMinutes?: number;
  /** Clock. Default: the real one. */
  clock?: Clock;
}

/** {@link LicensingHandlerOptions}. A misspelt name is found. */
export const handlerOptionsSchema = z.strictObject({
  bridge: z.object({
    profiles: methodsSchema('sync'),
    sessions: methodsSchema('create'),
    applications: methodsSchema('get'),
    producers: methodsSchema('getSubscriptionUpdate').optional(),
  }),
  secret: anything,
  publicUrl: anything,
  identify: functionSchema,
  session: functionSchema,
  store: methodsSchema('get', 'put', 'byApplication', 'byUser', 'listOpen').optional(),
  on: z
    .strictObject({
      progress: functionSchema.optional(),
      submitted: functionSchema.optional(),
      status: functionSchema.optional(),
      requiresAction: functionSchema.optional(),
      producer: functionSchema.optional(),
    } satisfies Record<keyof LicensingListeners, z.ZodType>)
    .optional(),
  webhookSecret: anything,
  verifyWebhook: functionSchema.optional(),
  log: functionSchema.optional(),
  webhookUrl: anything,
  allowedOrigins: z.array(z.string()).optional(),
  peerAddress: functionSchema.optional(),
  resumeUnfinished: z.boolean().optional(),
  maxUnfinishedApplications: z.int().min(1).optional(),
  reconcileMinutes: z.number().min(0).max(1_440).optional(),
  clock: methodsSchema('now', 'after').optional(),
} satisfies Record<keyof LicensingHandlerOptions, z.ZodType>);

/**
 * Answers the requests below `publicUrl`. Takes the requests of Hono, Next, Bun, Deno and Workers
 * as they are; for Express, Fastify and `node:http` see `licensing-apply/server/node`.
 */
export interface LicensingHandler<Context = unknown> {
  /** Answers a request. Never rejects. */
  (request: Request, context?: Context): Promise<Response>;
  /** The URL under which the handler is mounted, without a slash at its end. */
  readonly publicUrl: string;
  /**
   * Returns the webhook URL for the account, signed with `secret`. Set it once per mode, with
   * `bridge.account.update({ webhookUrl })`: then `on.producer` receives the updates of subscribed
   * producers. The URL is the proof of its webhooks: never log it.
   */
  accountWebhookUrl(): Promise<string>;
  /**
   * Reads every open application again and delivers what no webhook reported. Several instances may
   * run it at the same time. Rejects when the store fails.
   */
  reconcile(options?: ReconcileOptions): Promise<ReconcileSummary>;
  /**
   * Ends event streams and timers, and resolves when nothing runs any more. Later webhooks are 503.
   */
  close(): Promise<void>;
}
