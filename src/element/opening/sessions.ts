import type { PartnerSession, PartnerSessionRequest, StateCode } from '../../contract/index.js';
import { type ErrorCode, LicensingApplyError } from '../errors.js';
import { createUuid } from './uuid.js';

/** The argument of a {@link SessionProvider}. */
export interface SessionRequest extends PartnerSessionRequest {
  /** Aborts when the session is no longer needed. */
  signal: AbortSignal;
}

/**
 * Creates a session by calling the partner's backend. Called for each opening without a usable
 * session.
 */
export type SessionProvider = (request: SessionRequest) => PartnerSession | Promise<PartnerSession>;

/** The sources of sessions. The first one that is set is used. */
export interface SessionSource {
  sessionProvider: SessionProvider | undefined;
  sessionUrl: string;
  applicationUrl: string;
  applicationId: string;
}

type Reason = PartnerSessionRequest['reason'];

/** What an opening adds to the request for its session. */
export interface SessionChoice {
  /** A session that the page created. */
  session?: PartnerSession | Promise<PartnerSession> | undefined;
  /** The states that the user chose, for a new application. */
  states?: readonly string[] | undefined;
}

const timeoutMs = 20_000;

/** Keeps the session between openings, so that closing and continuing needs no new one. */
export class SessionKeeper {
  /**
   * The last session. After a redirect its `applicationUrl` is "", because that is never stored.
   */
  session: PartnerSession | undefined;
  #isExpired = false;

  /** The one-time value that a return must carry; undefined if the session has none. */
  get returnNonce(): string | undefined {
    return this.session?.returnState;
  }

  /** Returns the session if its link still works. */
  usable(): PartnerSession | undefined {
    const { session } = this;
    return session?.applicationUrl && !this.#isExpired && !hasEnded(session) ? session : undefined;
  }

  /**
   * Resolves with the session of the page, the one that still works, or a new one. With `states` it
   * is always a new one: that of another application.
   *
   * @throws {LicensingApplyError} as `requestSession` does.
   */
  async obtain(
    source: SessionSource,
    reason: Reason,
    signal: AbortSignal,
    { session: given, states }: SessionChoice = {},
  ): Promise<PartnerSession> {
    // The page created it without our value: a return proves something only if the session has its
    // own.
    if (given)
      return this.keep(await untilAborted({ sessionProvider: () => given }, { reason, returnState: '', signal }));
    if (states) return this.keep(await this.#request(source, 'open', signal, states));
    const current = this.usable();
    if (current) return current;
    const wasUsed = this.#isExpired || this.session?.applicationUrl;
    return this.keep(await this.#request(source, wasUsed ? 'expired' : this.session ? 'resume' : reason, signal));
  }

  /**
   * Requests a new session for the same application. Resolves with undefined if the answer is one
   * of another application: it must not replace the page that the user is filling in.
   */
  async renew(source: SessionSource, signal: AbortSignal): Promise<PartnerSession | undefined> {
    const renewed = await this.#request(source, 'expired', signal);
    return renewed.applicationId === this.session?.applicationId ? this.keep(renewed) : undefined;
  }

  /** Keeps this session, such as that of a redirect, and returns it. */
  keep(session: PartnerSession): PartnerSession {
    this.#isExpired = false;
    return (this.session = session);
  }

  /** Marks the session as expired, even before its `expiresAt`. */
  expire(): void {
    this.#isExpired = true;
  }

  /** Removes the session, for another application. */
  clear(): void {
    this.session = undefined;
    this.#isExpired = false;
  }

  async #request(
    source: SessionSource,
    reason: Reason,
    signal: AbortSignal,
    states?: readonly string[],
  ): Promise<PartnerSession> {
    const applicationId = states ? '' : this.session?.applicationId || source.applicationId;
    const returnState = createUuid();
    const created = await untilAborted(source, {
      reason,
      returnState,
      ...(applicationId && { applicationId }),
      ...(states && { states: states as StateCode[] }),
      signal,
    });
    // The creator of an `application-url` did not know our value, so its return cannot carry it.
    return (source.sessionProvider ?? source.sessionUrl) ? { returnState, ...created } : created;
  }
}

/** A provider may ignore the signal, so the wait ends by itself. */
async function untilAborted(source: Partial<SessionSource>, request: SessionRequest): Promise<PartnerSession> {
  const { signal } = request;
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
  return Promise.race([requestSession(source, request), aborted]);
}

/** A session without `expiresAt` is assumed to work; the hosted page reports otherwise. */
function hasEnded({ expiresAt }: PartnerSession): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}

/** Whether the element can create a session without the page's help. */
export function hasSource({ sessionProvider, sessionUrl, applicationUrl }: SessionSource): boolean {
  return !!(sessionProvider ?? (sessionUrl || applicationUrl));
}

/**
 * Resolves with a session.
 *
 * @throws {LicensingApplyError} `not_configured`, `offline`, `session_unreachable`,
 *   `not_signed_in`, `session_failed` or `session_unreadable`.
 */
export async function requestSession(source: Partial<SessionSource>, request: SessionRequest): Promise<PartnerSession> {
  const { sessionProvider, sessionUrl, applicationUrl, applicationId = '' } = source;
  if (sessionProvider) return assertSession(await callProvider(sessionProvider, request));
  if (sessionUrl) return assertSession(await post(sessionUrl, request));
  if (applicationUrl) return { applicationUrl, applicationId };
  throw new LicensingApplyError('not_configured');
}

async function callProvider(provider: SessionProvider, request: SessionRequest): Promise<unknown> {
  // Within the promise, so that a provider that throws fails like one that rejects.
  return Promise.resolve(request).then(provider).catch(failWith('session_failed', 'sessionProvider failed'));
}

async function post(sessionUrl: string, { signal, ...body }: SessionRequest): Promise<unknown> {
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  // `fetch` sends the user's cookies to this site only, which is wanted: a session is created for
  // the signed-in user of this site.
  const response = await fetch(sessionUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    signal: timeout,
  }).catch(async (cause: unknown) => {
    // A redirect to a sign-in page on another site fails like a broken network. A request that does
    // not follow redirects shows the difference. It has no body, so it creates no second session.
    const probe = await fetch(sessionUrl, { redirect: 'manual', signal: timeout }).catch(() => undefined);
    if (probe?.type === 'opaqueredirect') return failWith('not_signed_in', 'redirected to another site')(cause);
    return failWith(navigator.onLine ? 'session_unreachable' : 'offline')(cause);
  });
  if (response.status === 401) throw new LicensingApplyError('not_signed_in', 'HTTP 401');
  if (!response.ok) throw new LicensingApplyError('session_failed', `HTTP ${response.status}`);
  // Some backends send JSON as text/html, so the type decides only once the body is no JSON.
  const isPage = response.headers.get('content-type')?.includes('html');
  return response
    .json()
    .catch(isPage ? failWith('not_signed_in', 'answered with a page') : failWith('session_unreadable', 'not JSON'));
}

/** Returns a rejection handler that throws an error with the cause. */
function failWith(code: ErrorCode, detail?: string): (cause: unknown) => never {
  return function fail(cause) {
    throw new LicensingApplyError(code, detail, { cause });
  };
}

function assertSession(session: unknown): PartnerSession {
  const { applicationUrl } = (session ?? {}) as Partial<PartnerSession>;
  if (typeof applicationUrl !== 'string') throw new LicensingApplyError('session_unreadable', 'no applicationUrl');
  return session as PartnerSession;
}
