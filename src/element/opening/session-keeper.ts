import type { PartnerSession, PartnerSessionRequest } from '../../contract/index.js';
import { isAlive, obtainSession, type SessionRequest, type SessionSource } from './session-source.js';

type Reason = PartnerSessionRequest['reason'];
type GivenSession = PartnerSession | Promise<PartnerSession> | undefined;

/** Keeps the session between openings, so that closing and continuing needs no new one. */
export interface SessionKeeper {
  /** The last session that was made. */
  readonly session: PartnerSession | undefined;
  /** The session that an opening goes on with; undefined when it needs a new one. */
  usable(): PartnerSession | undefined;
  /** What a return must carry to prove anything; undefined when nobody told us. */
  readonly returnState: string | undefined;
  /** Resolves with `given`, the session that still works, or a new one. Rejects as `obtainSession` does. */
  obtain(source: SessionSource, reason: Reason, signal: AbortSignal, given?: GivenSession): Promise<PartnerSession>;
  /**
   * Asks for what follows on the session that ends; resolves with it if it goes on with the same application. One of another
   * application is kept for the next opening: what the user is at work in must not be taken away.
   */
  renew(source: SessionSource, signal: AbortSignal): Promise<PartnerSession | undefined>;
  /** Takes in a session that was made elsewhere. */
  take(made: PartnerSession): PartnerSession;
  /** Lets go of the session: another application is wanted. */
  forget(): void;
  /** Marks the session as run out, whatever it said of itself. */
  expire(): void;
}

/** Creates a keeper that has no session yet. */
export function createSessionKeeper(): SessionKeeper {
  let session: PartnerSession | undefined;
  let successor: PartnerSession | undefined;
  let expired = false;

  async function request(source: SessionSource, reason: Reason, signal: AbortSignal): Promise<PartnerSession> {
    const applicationId = session?.applicationId || source.applicationId;
    const returnState = crypto.randomUUID();
    const made = await obtained(source, { reason, returnState, ...(applicationId && { applicationId }), signal });
    // An application-url was made by somebody who did not know our value.
    return (source.sessionProvider ?? source.sessionUrl) ? { returnState, ...made } : made;
  }

  async function obtained(source: Partial<SessionSource>, wanted: SessionRequest): Promise<PartnerSession> {
    const { signal } = wanted;
    signal.throwIfAborted();
    // Not every provider heeds the signal, and nobody waits for it any more.
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
    return Promise.race([obtainSession(source, wanted), aborted]);
  }

  function usable(): PartnerSession | undefined {
    // Of a session from before a redirect everything is known but its address.
    return [!expired && session?.applicationUrl ? session : undefined, successor].find((made) => made && isAlive(made));
  }

  function take(made: PartnerSession): PartnerSession {
    session = made;
    successor = undefined;
    expired = false;
    return made;
  }

  return {
    get session() {
      return session;
    },
    get returnState() {
      return session?.returnState;
    },
    async obtain(source, reason, signal, given) {
      // Made without our value: a return proves something only if the session names its own.
      if (given) return take(await obtained({ sessionProvider: () => given }, { reason, returnState: '', signal }));
      const known = usable();
      if (known) return known === session ? known : take(known);
      const isOver = expired || session?.applicationUrl;
      return take(await request(source, isOver ? 'expired' : session ? 'resume' : reason, signal));
    },
    async renew(source, signal) {
      if (successor) return undefined;
      const made = await request(source, 'expired', signal);
      if (made.applicationId === session?.applicationId) return take(made);
      successor = made;
      return undefined;
    },
    usable,
    take,
    forget() {
      session = successor = undefined;
      expired = false;
    },
    expire() {
      expired = true;
    },
  };
}
