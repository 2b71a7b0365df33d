import type { PartnerSession, PartnerSessionRequest } from '../../contract/index.js';
import { requestSession, type SessionRequest, type SessionSource } from './session-source.js';

type Reason = PartnerSessionRequest['reason'];
type GivenSession = PartnerSession | Promise<PartnerSession> | undefined;

/** Keeps the session between openings, so that closing and continuing needs no new one. */
export interface SessionKeeper {
  /**
   * The last session. After a redirect its `applicationUrl` is "", because that is never stored.
   */
  readonly session: PartnerSession | undefined;
  /** Returns the session if its link still works. */
  usable(): PartnerSession | undefined;
  /** The one-time value that a return must carry; undefined if the session has none. */
  readonly returnNonce: string | undefined;
  /**
   * Resolves with `given`, the session that still works, or a new one.
   *
   * @throws {LicensingApplyError} as `requestSession` does.
   */
  obtain(source: SessionSource, reason: Reason, signal: AbortSignal, given?: GivenSession): Promise<PartnerSession>;
  /**
   * Requests a new session for the same application. Resolves with undefined if the answer is one
   * of another application: it must not replace the page that the user is filling in.
   */
  renew(source: SessionSource, signal: AbortSignal): Promise<PartnerSession | undefined>;
  /** Sets the session, after a redirect. */
  restore(session: PartnerSession): void;
  /** Marks the session as expired, even before its `expiresAt`. */
  expire(): void;
  /** Removes the session, for another application. */
  clear(): void;
}

/** Creates a keeper without a session. */
export function createSessionKeeper(): SessionKeeper {
  let session: PartnerSession | undefined;
  let isExpired = false;

  async function request(source: SessionSource, reason: Reason, signal: AbortSignal): Promise<PartnerSession> {
    const applicationId = session?.applicationId || source.applicationId;
    const returnState = crypto.randomUUID();
    const created = await untilAborted(source, {
      reason,
      returnState,
      ...(applicationId && { applicationId }),
      signal,
    });
    // The creator of an `application-url` did not know our value, so its return cannot carry it.
    return (source.sessionProvider ?? source.sessionUrl) ? { returnState, ...created } : created;
  }

  function usable(): PartnerSession | undefined {
    return session?.applicationUrl && !isExpired && !hasEnded(session) ? session : undefined;
  }

  function keep(next: PartnerSession): PartnerSession {
    session = next;
    isExpired = false;
    return next;
  }

  return {
    get session() {
      return session;
    },
    get returnNonce() {
      return session?.returnState;
    },
    usable,
    async obtain(source, reason, signal, given) {
      // The page created it without our value: a return proves something only if the session has
      // its own.
      if (given) return keep(await untilAborted({ sessionProvider: () => given }, { reason, returnState: '', signal }));
      const current = usable();
      if (current) return current;
      const wasUsed = isExpired || session?.applicationUrl;
      return keep(await request(source, wasUsed ? 'expired' : session ? 'resume' : reason, signal));
    },
    async renew(source, signal) {
      const renewed = await request(source, 'expired', signal);
      return renewed.applicationId === session?.applicationId ? keep(renewed) : undefined;
    },
    restore: keep,
    expire() {
      isExpired = true;
    },
    clear() {
      session = undefined;
      isExpired = false;
    },
  };
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
