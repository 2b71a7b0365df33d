import type { Clock } from '../clock.js';
import { isBridgeError, type BridgeClientError } from './bridge-client-error.js';

/** Ten failed logins a minute lock a client out, so a refusal is remembered long enough to stay below that. */
const refusalMemoryMs = 10_000;

/** The access token of a client. */
export interface Login {
  /** The token, if there is one. */
  known(): string | undefined;
  /** Forgets this token, unless it has been replaced already. */
  drop(token: string): void;
  /** Logs in now, whether or not there is a token. Callers that arrive meanwhile share that login. */
  renew(): Promise<string>;
  /** Forgets everything that came of the credentials so far: there are others now. */
  restart(): void;
}

/** Keeps the token that `logIn` obtains until somebody drops it: nothing is assumed about how long it lives. */
export function createLogin(logIn: () => Promise<string>, clock: Clock): Login {
  let current: string | undefined;
  let pending: Promise<string> | undefined;
  let refusal: { error: BridgeClientError; until: number } | undefined;
  let generation = 0;

  async function obtain(): Promise<string> {
    const begun = generation;
    try {
      const token = await logIn();
      // Of credentials that were replaced while it was on its way, neither a token nor a refusal means anything.
      if (begun !== generation) return await renew();
      current = token;
      return token;
    } catch (error) {
      if (begun !== generation) return await renew();
      if (isBridgeError(error) && error.code === 'credentials_refused') {
        refusal = { error, until: clock.now() + refusalMemoryMs };
      }
      throw error;
    } finally {
      if (begun === generation) pending = undefined;
    }
  }

  function renew(): Promise<string> {
    if (refusal && refusal.until > clock.now()) return Promise.reject(refusal.error);
    return (pending ??= obtain());
  }

  return {
    known: () => current,
    drop(token) {
      // A hundred calls may come back with 401 for the same old token, some of them after the new one is there.
      if (current === token) current = undefined;
    },
    renew,
    restart() {
      generation += 1;
      current = pending = refusal = undefined;
    },
  };
}
