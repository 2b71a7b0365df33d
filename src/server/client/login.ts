import type { Clock } from '../scheduling.js';
import { isBridgeClientError, type BridgeClientError } from './bridge-client-error.js';
import type { Credentials } from './options.js';

/**
 * Ten failed logins a minute lock a client out, so a refusal is remembered long enough to stay
 * below that.
 */
const refusalMemoryMs = 10_000;

/**
 * The credentials of a client and its access token. Keeps the token that `logIn` obtains until it
 * is dropped: its lifetime is not part of the contract.
 */
export function createLogin(
  given: Credentials | undefined,
  logIn: (credentials: Credentials) => Promise<string>,
  clock: Clock,
) {
  let credentials = given;
  let current: string | undefined;
  let pending: Promise<string> | undefined;
  let refusal: { error: BridgeClientError; until: number } | undefined;

  async function obtain(used: Credentials): Promise<string> {
    try {
      const token = await logIn(used);
      // The secret was replaced meanwhile, which ended this token.
      if (used !== credentials) return await renew();
      current = token;
      return token;
    } catch (error) {
      if (used !== credentials) return await renew();
      if (isBridgeClientError(error) && error.code === 'credentials_refused') {
        refusal = { error, until: clock.now() + refusalMemoryMs };
      }
      throw error;
    } finally {
      if (used === credentials) pending = undefined;
    }
  }

  /** Logs in now. Callers that arrive meanwhile share that login. */
  async function renew(): Promise<string> {
    if (!credentials) throw new TypeError('This call needs a client with clientId and clientSecret.');
    if (refusal && refusal.until > clock.now()) throw refusal.error;
    pending ??= obtain(credentials);
    return pending;
  }

  return {
    /** Whether there are credentials. */
    isPossible: given !== undefined,
    /** The values that must never be shown: the client secret and the token. */
    secrets: () => [credentials?.clientSecret, current].filter((secret) => secret !== undefined),
    /** Resolves with the token that is kept, or logs in. */
    token: async () => current ?? renew(),
    renew,
    /**
     * Drops this token. Many calls may fail with it, some after another login has already replaced
     * it.
     */
    drop(token: string) {
      if (current === token) current = undefined;
    },
    /** Continues with another secret. Token and refusal of the old one are forgotten. */
    replaceSecret(clientSecret: string) {
      if (!credentials) return;
      credentials = { ...credentials, clientSecret };
      current = undefined;
      pending = undefined;
      refusal = undefined;
    },
  };
}
