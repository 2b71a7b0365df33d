import type { PartnerSession, PartnerSessionRequest } from '../contract/index.js';
import { isAlive, obtainSession, type SessionSource } from './session-source.js';

/** Keeps the session between openings, so that closing and continuing needs no new one. */
export interface SessionKeeper {
  /** The last session that was made. */
  readonly session: PartnerSession | undefined;
  /** What a return must carry to prove anything; undefined when nobody told us. */
  readonly returnState: string | undefined;
  /** Resolves with the session that still works, or with a new one. Rejects as `obtainSession` does. */
  obtain(source: SessionSource, reason: PartnerSessionRequest['reason'], signal: AbortSignal): Promise<PartnerSession>;
  /** Lets go of the session: another application is wanted. */
  forget(): void;
  /** Marks the session as run out, whatever it said of itself. */
  expire(): void;
}

/** Creates a keeper that has no session yet. */
export function createSessionKeeper(): SessionKeeper {
  let session: PartnerSession | undefined;
  let returnState: string | undefined;
  let expired = false;

  return {
    get session() {
      return session;
    },
    get returnState() {
      return returnState;
    },
    async obtain(source, reason, signal) {
      if (session && !expired && isAlive(session)) return session;
      const applicationId = session?.applicationId || source.applicationId;
      const request = {
        reason: session || expired ? ('expired' as const) : reason,
        returnState: crypto.randomUUID(),
        ...(applicationId && { applicationId }),
        signal,
      };
      const made = await obtainSession(source, request);
      signal.throwIfAborted();
      session = made;
      expired = false;
      // An application-url was made by somebody who did not know our value.
      returnState =
        made.returnState ?? ((source.sessionProvider ?? source.sessionUrl) ? request.returnState : undefined);
      return made;
    },
    forget() {
      session = returnState = undefined;
      expired = false;
    },
    expire() {
      expired = true;
    },
  };
}
