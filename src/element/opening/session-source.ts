import type { PartnerSession, PartnerSessionRequest } from '../../contract/index.js';
import { type ErrorCode, LicensingApplyError } from '../events/errors.js';

/** What a {@link SessionProvider} is asked for. */
export interface SessionRequest extends PartnerSessionRequest {
  /** Aborts when nobody waits for the session any more. */
  signal: AbortSignal;
}

/** Makes a session by asking the partner's own backend. Called for each opening that has no session that still works. */
export type SessionProvider = (request: SessionRequest) => PartnerSession | Promise<PartnerSession>;

/** Where sessions come from: the first of these that is set. */
export interface SessionSource {
  sessionProvider: SessionProvider | undefined;
  sessionUrl: string;
  applicationUrl: string;
  applicationId: string;
}

/** Whether a session can be had without the page. */
export function hasSource({ sessionProvider, sessionUrl, applicationUrl }: SessionSource): boolean {
  return !!(sessionProvider ?? (sessionUrl || applicationUrl));
}

const deadlineMs = 20_000;

/**
 * Resolves with a session.
 * @throws {LicensingApplyError} `not_configured`, `offline`, `session_unreachable`, `not_signed_in`, `session_failed` or `session_unreadable`.
 */
export async function obtainSession(source: Partial<SessionSource>, request: SessionRequest): Promise<PartnerSession> {
  const { sessionProvider, sessionUrl, applicationUrl, applicationId = '' } = source;
  if (sessionProvider) return checked(await provided(sessionProvider, request));
  if (sessionUrl) return checked(await posted(sessionUrl, request));
  if (applicationUrl) return { applicationUrl, applicationId };
  throw new LicensingApplyError('not_configured');
}

async function provided(provider: SessionProvider, request: SessionRequest): Promise<unknown> {
  // Asked inside of the promise: a provider that throws at once fails as one that rejects.
  return Promise.resolve(request).then(provider).catch(failAs('session_failed'));
}

async function posted(sessionUrl: string, { signal, ...body }: SessionRequest): Promise<unknown> {
  // The user's sign-in goes along, and only to the page's own site, as is fetch's default: a session made for a stranger could be framed
  // by anyone.
  const within = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
  const response = await fetch(sessionUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    signal: within,
  }).catch(async (cause: unknown) => {
    // A sign-in page of another site just fails, as a dead network does: where there is a redirect is only told to who does not follow
    // it. Looked for without a body, since what was sent may have made a session.
    const seen = await fetch(sessionUrl, { redirect: 'manual', signal: within }).catch(() => undefined);
    if (seen?.type === 'opaqueredirect') return failAs('not_signed_in', 'a redirect')(cause);
    return failAs(navigator.onLine ? 'session_unreachable' : 'offline', 'not reached')(cause);
  });
  if (response.status === 401) throw new LicensingApplyError('not_signed_in', 'HTTP 401');
  if (!response.ok) throw new LicensingApplyError('session_failed', `HTTP ${response.status}`);
  // Only what is no JSON: a backend may call it a page unless it is told otherwise, as PHP does.
  const isPage = response.headers.get('content-type')?.includes('html');
  return response.json().catch(isPage ? failAs('not_signed_in', 'a page') : failAs('session_unreadable', 'not JSON'));
}

/** A rejection handler that says what failed, with its cause. */
function failAs(code: ErrorCode, detail?: string): (cause: unknown) => never {
  return function fail(cause) {
    throw new LicensingApplyError(code, detail, { cause });
  };
}

function checked(session: unknown): PartnerSession {
  const { applicationUrl } = (session ?? {}) as Partial<PartnerSession>;
  if (typeof applicationUrl !== 'string') throw new LicensingApplyError('session_unreadable', 'no applicationUrl');
  return session as PartnerSession;
}

/** Whether the session's link still works. One that does not say when it ends is taken to work: the hosted page says otherwise. */
export function isAlive({ expiresAt }: PartnerSession): boolean {
  return expiresAt === undefined || !(Date.parse(expiresAt) <= Date.now());
}
