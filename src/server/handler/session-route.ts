import type { LicensingUser, PartnerSessionRequest, SessionOptions } from '../../contract/index.js';
import { partnerSessionRequestSchema, sessionOptionsSchema } from '../../contract/schemas/index.js';
import type { ApplicationRecord } from '../store/licensing-store.js';
import { isUnfinished } from '../applications/record-changes.js';
import { hasUsableLink } from '../applications/sessions.js';
import { isBridgeClientError, isNotFound } from '../client/bridge-client-error.js';
import { withTimeout } from '../scheduling.js';
import { parseGiven } from '../configuration.js';
import { readJson } from '../http/request.js';
import { HttpError, replyJson } from '../http/reply.js';
import { messageOf } from '../log.js';
import { readCurrent } from './application-routes.js';
import { partnerTimeoutMs, requireUser, type RequestScope, type Route, type Services } from './services.js';

const maxRequestBytes = 4 * 1024;
/** The number of the user's last applications that are searched for an unfinished one. */
const maxCandidates = 20;

/** `POST /sessions`: the session that the element opens, new or of an unfinished application. */
export const createSessionRoute: Route = async (services, request, scope) => {
  const user = await requireUser(services, request, scope);
  const { value } = await readJson(request, maxRequestBytes, services.clock);
  const { success, data: wanted } = partnerSessionRequestSchema.safeParse(value);
  if (!success) throw new HttpError('invalid_request');
  // Requests of a user run one after another, so that each sees the results of the previous one.
  const record = await services.serialize(user.userId, async () => {
    let options: SessionOptions | undefined;
    const applyFor = async () =>
      (options ??= limitToChoice(await askPartner(services, request, user, scope), wanted.states));
    const unfinished = await findUnfinished(services, user, wanted, applyFor, scope);
    if (unfinished) return unfinished;
    const what = await keepStates(services, user, wanted, await applyFor());
    await syncProfile(services, user);
    return services.sessions.create(user.userId, wanted, what);
  });
  return replyJson(partnerSession(services, request, record));
};

async function askPartner(
  { options, clock }: Services,
  request: Request,
  user: LicensingUser,
  { context }: RequestScope,
): Promise<SessionOptions> {
  const call = () => options.session(request, user, context);
  return parseGiven(
    'The result of session',
    sessionOptionsSchema,
    await withTimeout(clock, partnerTimeoutMs, 'session', call),
  );
}

/**
 * Leaves only the states that the user chose. The choice comes from the browser, so it can remove
 * states of `session` and never add one: this backend decides for what a user may apply.
 */
function limitToChoice(options: SessionOptions, chosen: PartnerSessionRequest['states']): SessionOptions {
  if (chosen === undefined) return options;
  if (chosen.some((state) => !options.states.includes(state))) throw new HttpError('states_not_offered');
  return { ...options, states: options.states.filter((state) => chosen.includes(state)) };
}

/**
 * A new link for an unfinished application keeps the states that its user chose. With all states of
 * `session` it would be the link of another application.
 */
async function keepStates(
  { store }: Services,
  { userId }: LicensingUser,
  { reason, applicationId }: PartnerSessionRequest,
  options: SessionOptions,
): Promise<SessionOptions> {
  if (reason === 'open') return options;
  const records =
    applicationId === undefined
      ? await store.byUser(userId, maxCandidates)
      : [await store.byApplication(applicationId)];
  const earlier = records.find((record) => record?.userId === userId && isUnfinished(record));
  if (!earlier) return options;
  const { states } = earlier.request;
  // An application for a state that is not offered any more cannot be continued.
  const isOffered = states.every((state) => options.states.includes(state));
  return isOffered && isSameApplication(earlier.request, { ...options, states }) ? { ...options, states } : options;
}

/**
 * The unfinished application to continue: this user's, not submitted, with a link that still works.
 */
async function findUnfinished(
  services: Services,
  { userId }: LicensingUser,
  wanted: PartnerSessionRequest,
  applyFor: () => Promise<SessionOptions>,
  scope: RequestScope,
): Promise<ApplicationRecord | undefined> {
  const { clock } = services;
  for (const record of await findCandidates(services, userId, wanted, applyFor)) {
    if (record.userId !== userId || !isUnfinished(record)) continue;
    if (!hasUsableLink(record, clock.now(), wanted.reason)) continue;
    try {
      const current = await readCurrent(services, record, scope);
      if (isUnfinished(current) && hasNewestSession(current)) return current;
    } catch (error) {
      // An application that the bridge does not have any more must not prevent a new one.
      if (!isNotFound(error)) throw error;
    }
  }
  return undefined;
}

/**
 * Whether the bridge knows no later session. One that this backend did not ask for follows when an
 * operator revokes a link: the link that is known here has ended then, whatever its time.
 */
function hasNewestSession({ session, application }: ApplicationRecord): boolean {
  // "": the host does not say.
  return ['', undefined, session?.sessionId].includes(application?.sessionId);
}

async function findCandidates(
  { store, options }: Services,
  userId: string,
  { reason, applicationId }: PartnerSessionRequest,
  applyFor: () => Promise<SessionOptions>,
): Promise<ApplicationRecord[]> {
  if (applicationId !== undefined && reason !== 'open') {
    const record = await store.byApplication(applicationId);
    return record ? [record] : [];
  }
  const recent = await store.byUser(userId, maxCandidates);
  // That a link has expired is believed only where the store knows it: see hasUsableLink.
  if (reason !== 'open') return recent;
  if (options.resumeUnfinished === false) return [];
  const what = await applyFor();
  return recent.filter(({ request }) => isSameApplication(request, what));
}

function isSameApplication(request: ApplicationRecord['request'], what: SessionOptions): boolean {
  const describe = ({ applicationType, licenseType, states, paymentMethod }: typeof request) =>
    JSON.stringify([applicationType, licenseType, [...states].sort(), paymentMethod ?? 'user_pays']);
  return describe(request) === describe(what as typeof request);
}

/**
 * A failing bridge must not keep the user from applying: they type the missing data. A profile that
 * it refuses is a mistake of this backend, which would go unnoticed.
 */
async function syncProfile({ options, log }: Services, { userId, profile }: LicensingUser): Promise<void> {
  if (!profile) return;
  try {
    await options.bridge.profiles.sync(userId, profile);
  } catch (error) {
    // Not a login before it that is answered with 400: createSession then reports the configuration.
    if (isBridgeClientError(error) && error.operation === 'syncProfile' && error.status === 400) {
      log({ level: 'error', event: 'profile.refused', message: error.message, field: error.field });
      throw new HttpError('invalid_profile', {}, error.field);
    }
    // A TypeError of the client: a profile that must not be sent, such as one with an SSN.
    if (!isBridgeClientError(error)) throw error;
    log({ level: 'warn', event: 'profile.not_synced', message: messageOf(error), requestId: error.requestId });
  }
}

/** Only the fields that the element needs. */
function partnerSession({ basePath, publicUrl, crossOrigin }: Services, request: Request, record: ApplicationRecord) {
  const { applicationId = '', session, application, request: asked } = record;
  // A page of another origin would resolve a path against its own.
  const origin = crossOrigin.isAllowed(request) ? publicUrl.origin : '';
  const statusUrl = `${origin}${basePath}/applications/${encodeURIComponent(applicationId)}`;
  return {
    applicationUrl: session?.applicationUrl,
    applicationId,
    expiresAt: session?.expiresAt,
    estimatedFees: session?.estimatedFees,
    states: asked.states,
    progress: application?.progress,
    statusUrl,
    eventsUrl: `${statusUrl}/events`,
    returnState: session?.returnState,
  };
}
