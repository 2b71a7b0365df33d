import type { CurrentApplications } from '../applications/current-applications.js';
import type { LeftWork } from '../applications/left-work.js';
import type { Teller } from '../applications/teller.js';
import type { Clock } from '../clock.js';
import { inTime } from '../in-time.js';
import type { LicensingStore } from '../store/store.js';
import type { ApplicationLink } from '../applications/application-link.js';
import type { Capabilities } from '../webhooks/capability.js';
import type { Deliveries } from '../webhooks/deliveries.js';
import type { Log } from '../log.js';
import type { Cors } from './cors.js';
import type { LicensingHandlerOptions, LicensingUser } from './options.js';
import type { OpenStreams } from './open-streams.js';
import { Refusal } from './refusals.js';

/** What the routes of one handler share. */
export interface HandlerScope {
  options: LicensingHandlerOptions;
  /** The path of `publicUrl` without a slash at its end. */
  basePath: string;
  /** The origin of `publicUrl`. */
  publicOrigin: string;
  /** What the token of a webhook is appended to. */
  webhookBase: string;
  store: LicensingStore;
  clock: Clock;
  log: Log;
  capabilities: Capabilities;
  applications: CurrentApplications;
  teller: Teller;
  deliveries: Deliveries;
  leftWork: LeftWork;
  /** The streams that are open. */
  streams: OpenStreams;
  cors: Cors;
  /** Whether `close()` was called. */
  isClosed: () => boolean;
}

/** What a route may use beside the request. */
export interface RouteContext {
  /** Keeps this instance alive for work after the answer. */
  waitUntil: (work: Promise<unknown>) => void;
  /** What the handler was called with beside the request. */
  context: unknown;
  /** Who is at the other end of the connection. */
  peerAddress: string | undefined;
}

/** A route: parse, do, reply. Refuses by throwing. */
export type Route = (
  scope: HandlerScope,
  request: Request,
  /** The part of the path that varies, decoded. */
  parameter: string,
  context: RouteContext,
) => Promise<Response>;

/** The user of a request. @throws Refusal when nobody is signed in. */
export async function requireUser(
  { options, clock }: HandlerScope,
  request: Request,
  { context }: RouteContext,
): Promise<LicensingUser> {
  const user = await inTime(clock, 30, 'identify', () => options.identify(request, context));
  if (!user) throw new Refusal('not_signed_in');
  if (typeof user.userId !== 'string' || user.userId === '') throw new TypeError('`identify` gave no userId.');
  return user;
}

/** The link of an application of this user. @throws Refusal; somebody else's application does not exist. */
export async function requireOwnLink(
  { store }: HandlerScope,
  user: LicensingUser,
  applicationId: string,
): Promise<ApplicationLink> {
  const link = await store.linkOfApplication(applicationId);
  if (link?.userId !== user.userId) throw new Refusal('unknown_application');
  return link;
}
