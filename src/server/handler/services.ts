import type { LicensingUser } from '../../contract/index.js';
import { licensingUserSchema } from '../../contract/schemas/index.js';
import { memoryStore, type ApplicationRecord, type LicensingStore } from '../store/licensing-store.js';
import { createSessions, type Sessions } from '../applications/sessions.js';
import { createSync, type Sync } from '../applications/sync.js';
import { backgroundClock, createSerialize, withTimeout, type Clock, type Serialize } from '../scheduling.js';
import { parseConfiguredUrl, parseGiven, withoutTrailingSlash } from '../configuration.js';
import { createCrossOrigin, type CrossOrigin } from '../http/request.js';
import { HttpError } from '../http/reply.js';
import { consoleLog, ignoreErrors, type Log } from '../log.js';
import {
  createSignatureVerifier,
  createWebhookTokens,
  type SignatureVerifier,
  type WebhookTokens,
} from '../webhooks/webhook-proof.js';
import { handlerOptionsSchema, type LicensingHandlerOptions } from './options.js';

/** The services that the routes of one handler share. */
export interface Services {
  options: LicensingHandlerOptions;
  /** The `publicUrl`, parsed. */
  publicUrl: URL;
  /** The URL to which the token of a webhook is appended, without a slash at its end. */
  webhookBase: string;
  /** The path of `publicUrl` without a slash at its end. */
  basePath: string;
  store: LicensingStore;
  clock: Clock;
  log: Log;
  tokens: WebhookTokens;
  /** Checks signatures; `undefined` without `webhookSecret`. */
  verifySignature: SignatureVerifier | undefined;
  sync: Sync;
  sessions: Sessions;
  /** Runs the work of one user in order. */
  serialize: Serialize;
  /** The event streams that are open on this instance. */
  streams: Set<OpenStream>;
  crossOrigin: CrossOrigin;
  /** Whether `close()` was called. */
  isClosed: () => boolean;
}

/** An event stream to a browser. */
export interface OpenStream {
  userId: string;
  recordId: string;
  /** Makes it check for a change. */
  wake(): void;
  end(): void;
}

/** The context of a route besides the request. */
export interface RequestScope {
  /** The decoded path parameter. */
  parameter: string;
  /** The second argument of the handler. */
  context: unknown;
  /** Resolves to the peer address of the connection. Rejects when the partner's function fails. */
  findPeerAddress: () => Promise<string | undefined>;
  /** Keeps this instance alive for work after the answer. */
  waitUntil: (work: Promise<unknown>) => void;
}

/** A route: parses the request, does the work, answers. Fails by throwing. */
export type Route = (services: Services, request: Request, scope: RequestScope) => Promise<Response>;

/** The timeout of a function of the partner, in milliseconds. */
export const partnerTimeoutMs = 30_000;

/**
 * Checks the options and creates the services of the routes. @throws TypeError that names the wrong
 * option.
 */
export function createServices(options: LicensingHandlerOptions, isClosed: () => boolean): Services {
  parseGiven('createLicensingHandler', handlerOptionsSchema, options);
  if (options.on?.producer && !options.bridge.producers) {
    throw new TypeError('createLicensingHandler: on.producer needs `producers` of `bridge`.');
  }
  const { bridge, on: listeners = {}, clock = backgroundClock, store = memoryStore() } = options;
  const publicUrl = parseConfiguredUrl('publicUrl', options.publicUrl);
  const base = withoutTrailingSlash(publicUrl);
  const webhookUrl = parseConfiguredUrl('webhookUrl', options.webhookUrl ?? `${base}/webhooks`);
  const log = ignoreErrors(options.log ?? consoleLog);
  const tokens = createWebhookTokens(options.secret);
  const verifySignature =
    options.webhookSecret === undefined ? undefined : createSignatureVerifier(options.webhookSecret);
  if (!options.store && isProduction()) {
    const message =
      'memoryStore() loses all applications at a restart. Set `store` to redisStore() or postgresStore().';
    log({ level: 'warn', event: 'store.memory_in_production', message });
  }
  const streams = new Set<OpenStream>();
  const onChange = (id: string) => {
    for (const stream of streams) if (stream.recordId === id) stream.wake();
  };
  const webhookBase = withoutTrailingSlash(webhookUrl);
  const maxUnfinished = options.maxUnfinishedApplications ?? 10;
  return {
    options,
    publicUrl,
    webhookBase,
    basePath: base.slice(publicUrl.origin.length),
    store,
    clock,
    log,
    tokens,
    verifySignature,
    sync: createSync({ bridge, store, listeners, clock, log, onChange }),
    sessions: createSessions({ bridge, store, tokens, clock, webhookBase, maxUnfinished }),
    serialize: createSerialize(),
    streams,
    crossOrigin: createCrossOrigin(publicUrl.origin, options.allowedOrigins),
    isClosed,
  };
}

function isProduction(): boolean {
  // Not every runtime has `process`.
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.['NODE_ENV'] === 'production';
}

/** Returns the user of a request. @throws {@link HttpError} `not_signed_in` */
export async function requireUser(
  { options, clock }: Services,
  request: Request,
  { context }: RequestScope,
): Promise<LicensingUser> {
  const user: unknown = await withTimeout(clock, partnerTimeoutMs, 'identify', () =>
    options.identify(request, context),
  );
  if (user === null || user === undefined) throw new HttpError('not_signed_in');
  return parseGiven('The result of identify', licensingUserSchema, user);
}

/**
 * Returns the record of an application of this user.
 *
 * @throws {@link HttpError} `unknown_application`, also when the application belongs to another
 *   user.
 */
export async function requireOwnRecord(
  { store }: Services,
  user: LicensingUser,
  applicationId: string,
): Promise<ApplicationRecord> {
  const record = await store.byApplication(applicationId);
  if (record?.userId !== user.userId) throw new HttpError('unknown_application');
  return record;
}
