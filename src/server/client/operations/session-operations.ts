import type { CreateSessionRequest, DecideStateRequest, LicensingProfile } from '../../../contract/index.js';
import type { Calls } from '../calls.js';
import type { CallOptions } from '../options.js';
import type { ReceivedApplication, ReceivedProfile, ReceivedSession } from '../received.js';

/** Options of {@link SessionOperations.createSession}. */
export interface CreateSessionOptions extends CallOptions {
  /**
   * Makes the call repeatable beyond this process: the same key and body within 24 hours give the same session. 1–255 visible
   * ASCII characters. Default: a random one for each call, so that repetitions of one call create one session.
   */
  idempotencyKey?: string;
}

/** Operations 17 to 19: applications, and the test helper. */
export interface SessionOperations {
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

/** Offers operations 17 to 19 and the test helper. */
export function sessionOperations({ call }: Calls): SessionOperations {
  return {
    syncProfile: (userId, profile, options) => call('syncProfile', { params: { userId }, body: profile }, options),
    // It is repeated, so it needs a key, also where somebody hands over `undefined` as one.
    createSession: (session, { idempotencyKey = crypto.randomUUID(), ...options } = {}) =>
      call('createSession', { body: session }, { ...options, idempotencyKey }),
    getApplication: (applicationId, options) => call('getApplication', { params: { applicationId } }, options),
    decideState: (applicationId, state, decision, options) =>
      call('decideState', { params: { applicationId, state }, body: decision }, options),
  };
}
