import type { z } from 'zod';
import type { LicensingUser } from '../../contract/index.js';
import { licensingUserSchema } from '../../contract/schemas/index.js';
import type { ApplicationRecord } from '../applications/record.js';
import type { Sessions } from '../applications/sessions.js';
import type { Sync } from '../applications/sync.js';
import { withTimeout, type Clock } from '../clock.js';
import type { CrossOrigin } from '../http/cross-origin.js';
import type { EventStreams } from '../http/event-stream.js';
import { HttpError } from '../http/http-errors.js';
import type { Log } from '../log.js';
import type { Serialize } from '../single-flight.js';
import type { LicensingStore } from '../store/licensing-store.js';
import type { SignatureVerifier } from '../webhooks/webhook-signature.js';
import type { WebhookTokens } from '../webhooks/webhook-token.js';
import type { LicensingHandlerOptions } from './options.js';

/** What the routes of one handler share. */
export interface Services {
  options: LicensingHandlerOptions;
  /** The `publicUrl`, parsed. */
  publicUrl: URL;
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
  streams: EventStreams;
  crossOrigin: CrossOrigin;
  /** Whether `close()` was called. */
  isClosed: () => boolean;
}

/** What a route uses besides the request. */
export interface RequestScope {
  /** The part of the path that varies, decoded. */
  parameter: string;
  /** The second argument of the handler. */
  context: unknown;
  /** Finds the address at the other end of the connection. Rejects when the partner's function fails. */
  findPeerAddress: () => Promise<string | undefined>;
  /** Keeps this instance alive for work after the answer. */
  waitUntil: (work: Promise<unknown>) => void;
}

/** A route: parses the request, does the work, answers. Fails by throwing. */
export type Route = (services: Services, request: Request, scope: RequestScope) => Promise<Response>;

/** How long a function of the partner may take, in milliseconds. */
export const partnerTimeoutMs = 30_000;

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
  return parseOwn('identify', licensingUserSchema, user);
}

/**
 * Returns the record of an application of this user.
 *
 * @throws {@link HttpError} `unknown_application`, also when the application belongs to another user.
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

/**
 * Parses what a function of the partner returned.
 *
 * @throws TypeError that names the function and the field, never a value.
 */
export function parseOwn<Schema extends z.ZodType>(name: string, schema: Schema, value: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'the result'}: ${message}`);
  throw new TypeError(`${name} returned a value that is not valid. ${problems.join('; ')}`);
}
