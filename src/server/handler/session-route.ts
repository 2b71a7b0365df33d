import type { PartnerSession } from '../../contract/index.js';
import { isSubmitted, type KnownApplication } from '../applications/known-application.js';
import { isBridgeClientError, isNotFound } from '../client/bridge-client-error.js';
import type { ApplicationLink } from '../applications/application-link.js';
import { inTime } from '../in-time.js';
import { readJson } from './body.js';
import type { LicensingUser, SessionOptions } from './options.js';
import { replyJson } from './reply.js';
import { requireUser, type HandlerScope, type Route } from './scope.js';
import { parseSessionRequest, type SessionRequest } from './session-request.js';

/** A user with more open applications than this begins a new one. */
const maxLookedAt = 20;

const maxRequestBytes = 4 * 1024;
/** An address that is about to end is no use to somebody who has to fill in forms. */
const leastRemainingMs = 60_000;
/** One that is called expired and lasts longer than this is not the one that was meant: another tab has renewed it. */
const renewedRemainingMs = 330_000;

/** `POST /sessions`: what the element needs to open an application, begun now or earlier. */
export const createSessionRoute: Route = async (scope, request, _, context) => {
  const user = await requireUser(scope, request, context);
  const { value } = await readJson(request, { maxBytes: maxRequestBytes, clock: scope.clock });
  const wanted = parseSessionRequest(value);
  const begun = await findBegun(scope, user, wanted);
  if (begun) return replyJson(partnerSession(scope, request, begun.link, begun.progress));
  const link = await beginApplication(scope, request, user, wanted);
  return replyJson(partnerSession(scope, request, link));
};

/**
 * The application to go on with: this user's, not submitted, its address still good. Without an id, as on another device, the
 * newest such one.
 */
async function findBegun(scope: HandlerScope, user: LicensingUser, wanted: SessionRequest) {
  const now = scope.clock.now();
  for (const link of await candidates(scope, user, wanted)) {
    if (link.userId !== user.userId || !isStillOpen(link, now, wanted.reason)) continue;
    try {
      const { application } = await scope.applications.current(link);
      if (!isSubmitted(application)) return { link, progress: application.progress };
    } catch (error) {
      // One that the bridge no longer has is no reason to keep its user from applying.
      if (!isNotFound(error)) throw error;
    }
  }
  return undefined;
}

async function candidates({ store }: HandlerScope, user: LicensingUser, wanted: SessionRequest) {
  const { reason, applicationId } = wanted;
  if (reason === 'open') return [];
  if (applicationId === undefined) return reason === 'resume' ? store.linksOfUser(user.userId, maxLookedAt) : [];
  const link = await store.linkOfApplication(applicationId);
  return link ? [link] : [];
}

function isStillOpen({ expiresAt }: ApplicationLink, now: number, reason: SessionRequest['reason']): boolean {
  const isCalledExpired = reason === 'expired';
  // Of an address whose end is not known, the element knows better.
  if (expiresAt === undefined) return !isCalledExpired;
  return Date.parse(expiresAt) - now > (isCalledExpired ? renewedRemainingMs : leastRemainingMs);
}

async function beginApplication(
  scope: HandlerScope,
  request: Request,
  user: LicensingUser,
  { returnState }: SessionRequest,
): Promise<ApplicationLink> {
  const { options, capabilities, store, clock, webhookBase } = scope;
  const asked = await inTime(clock, 30, 'session', () => options.session(request, user));
  const { applicationType, licenseType, states, paymentMethod } = asked;
  const what = { applicationType, licenseType, states };
  const returnUrl = addReturnState(asked, returnState);
  await syncProfile(scope, user);

  const { reference, token } = await capabilities.issue(clock.now());
  const session = await options.bridge.sessions.create({
    userId: user.userId,
    ...what,
    ...(paymentMethod === undefined ? {} : { paymentMethod }),
    returnUrl,
    webhookUrl: `${webhookBase}/${token}`,
  });
  const link: ApplicationLink = {
    applicationId: session.applicationId,
    sessionId: session.sessionId,
    userId: user.userId,
    reference,
    applicationUrl: session.applicationUrl,
    expiresAt: session.expiresAt,
    returnState,
    ...what,
    estimatedFees: { total: session.estimatedFees.total },
    createdAt: new Date(clock.now()).toISOString(),
  };
  await store.saveLink(link);
  return link;
}

function addReturnState({ returnUrl }: SessionOptions, returnState: string): string {
  if (!URL.canParse(returnUrl)) {
    throw new TypeError('`session` must give an absolute returnUrl.');
  }
  const url = new URL(returnUrl);
  url.searchParams.set('state', returnState);
  return url.href;
}

/** A profile that the bridge does not like only costs the user some typing: no reason to keep them out. */
async function syncProfile({ options, log }: HandlerScope, { userId, profile }: LicensingUser): Promise<void> {
  if (!profile) return;
  try {
    await options.bridge.profiles.sync(userId, profile);
  } catch (error) {
    if (!isBridgeClientError(error) || error.code !== 'refused') throw error;
    log({ level: 'warn', event: 'profile.refused', message: error.message, requestId: error.requestId });
  }
}

/** What the element needs, and nothing more. */
function partnerSession(
  { basePath, publicOrigin, cors }: HandlerScope,
  request: Request,
  link: ApplicationLink,
  progress?: KnownApplication['progress'],
): { [Name in keyof PartnerSession]: unknown } {
  const { applicationId, applicationUrl, expiresAt, estimatedFees, states, returnState } = link;
  // A page of another origin would take a path for one of its own.
  const origin = cors.isForeign(request) ? publicOrigin : '';
  const statusUrl = `${origin}${basePath}/applications/${encodeURIComponent(applicationId)}`;
  return {
    applicationUrl,
    applicationId,
    expiresAt,
    estimatedFees,
    states: [...states],
    progress,
    statusUrl,
    eventsUrl: `${statusUrl}/events`,
    returnState,
  };
}
