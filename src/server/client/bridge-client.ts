import type {
  CreateSessionRequest,
  DecideStateRequest,
  LicensingProfile,
  LoginResponse,
  AgencyCredential,
  OperationId,
} from '../../contract/index.js';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { ReceivedApplication, ReceivedProfile, ReceivedSession } from './received.js';

/** Options of `createBridgeClient`. */
export interface BridgeClientOptions {
  /** The address of the bridge without `/v1`. https, or http on localhost. */
  baseUrl: string;
  /** What operation 3 issued. Absent: only {@link BridgeClient.createAccountCredential} works. */
  clientId?: string;
  /** The live or the test secret; it decides which data the client sees. */
  clientSecret?: string;
  /** Default: the global one. Called with a string and an init, `redirect: "manual"`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** The deadline of a whole call, login and repetitions included, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
  /** How often a call is repeated at most, where repeating is safe. Default: 2. */
  retries?: number;
  /** Hears of logins and of every attempt: operation, status, duration. Default: nobody. */
  log?: Log;
  /** Default: the real one. */
  clock?: Clock;
  /** A number from 0 up to 1, for the jitter. Default: `Math.random`. */
  random?: () => number;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call: it rejects with the code `aborted`. */
  signal?: AbortSignal;
  /** The deadline of this call in milliseconds. */
  timeoutMs?: number;
}

/** Options of {@link BridgeClient.createSession}. */
export interface CreateSessionOptions extends CallOptions {
  /**
   * Makes the call repeatable beyond this process: the same key and body within 24 hours give the same session. 1–255 visible
   * ASCII characters. Default: a random one for each call, so that repetitions of one call create one session.
   */
  idempotencyKey?: string;
}

/**
 * The operations of the bridge as methods. Each resolves with the answer and rejects with a `BridgeClientError`; a mistake of
 * the caller's is a `TypeError`, before anything is sent.
 */
export interface BridgeClient extends Record<OperationId, (...input: never[]) => Promise<object>> {
  /** Logs in now (operation 1). Not needed: the other methods do it. Useful at start-up to find out that a secret is wrong. */
  login(options?: CallOptions): Promise<LoginResponse>;
  /**
   * Issues the credential of an agency (operation 3). Works once without credentials; afterwards only for a client with live
   * credentials, which this call replaces. The only time that the secrets can be read.
   */
  createAccountCredential(agencyId: string, options?: CallOptions): Promise<AgencyCredential>;
  /** Merges what you know of a user, so that it need not be typed again (operation 17). `null` removes a field. */
  syncProfile(userId: string, profile: LicensingProfile, options?: CallOptions): Promise<ReceivedProfile>;
  /** Creates an application and the address at which the user completes it (operation 18). */
  createSession(session: CreateSessionRequest, options?: CreateSessionOptions): Promise<ReceivedSession>;
  /** Reads the progress of an application and its status per state (operation 19). */
  getApplication(applicationId: string, options?: CallOptions): Promise<ReceivedApplication>;
  /** Lets a simulated department decide. Test credentials only. */
  decideState(
    applicationId: string,
    state: string,
    decision: DecideStateRequest,
    options?: CallOptions,
  ): Promise<ReceivedApplication>;
}
