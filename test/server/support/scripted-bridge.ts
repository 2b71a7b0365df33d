import {
  BridgeClientError,
  type BridgeClient,
  type BridgeClientErrorCode,
  type CreateSessionRequest,
  type LicensingProfile,
} from '../../../src/server/index.js';
import type { ReceivedApplication } from '../../../src/contract/index.js';

/** A request for a session, with its Idempotency-Key. */
export type ScriptedSession = CreateSessionRequest & { webhookUrl: string; idempotencyKey: string };

/** A bridge whose applications are changed by tests. */
export interface ScriptedBridge extends Pick<BridgeClient, 'profiles' | 'sessions' | 'applications'> {
  /** The profiles that were synced. */
  syncedProfiles: { userId: string; profile: LicensingProfile }[];
  /** The requests for sessions, those with a repeated key included. */
  requests: ScriptedSession[];
  /** The ids of the applications that were read. */
  readings: string[];
  /** Changes an application. */
  change(applicationId: string, change: Partial<ReceivedApplication>): void;
  /** Makes every call fail with this code until it is called with `undefined`. */
  fail(code: BridgeClientErrorCode | undefined): void;
  /** Makes reads wait until the returned function is called. */
  hold(): () => void;
  /** The application that further sessions resume. */
  resumed: string | undefined;
  /** How long sessions live, in milliseconds; `undefined`: the bridge does not say. */
  sessionLifetimeMs: number | undefined;
}

/** An error as the client throws it. */
export function bridgeError(code: BridgeClientErrorCode, operation: BridgeClientError['operation']) {
  const status = { not_found: 404, refused: 400, unavailable: 503, rate_limited: 429 }[code as string];
  return new BridgeClientError({
    code,
    operation,
    message: `${operation}: scripted failure.`,
    retryable: true,
    ...(status === undefined ? {} : { status }),
  });
}

/** Creates a bridge without applications. It honors the Idempotency-Key, as the real one does. */
export function scriptedBridge(now: () => number): ScriptedBridge {
  const applications = new Map<string, ReceivedApplication>();
  const answers = new Map<string, Awaited<ReturnType<ScriptedBridge['sessions']['create']>>>();
  let failing: BridgeClientErrorCode | undefined;
  let held: Promise<void> | undefined;

  function failIfScripted(operation: Parameters<typeof bridgeError>[1]): void {
    if (failing !== undefined) throw bridgeError(failing, operation);
  }

  const bridge: ScriptedBridge = {
    syncedProfiles: [],
    requests: [],
    readings: [],
    resumed: undefined,
    sessionLifetimeMs: 24 * 60 * 60_000,
    profiles: {
      async sync(userId, profile) {
        failIfScripted('syncProfile');
        bridge.syncedProfiles.push({ userId, profile });
        return {};
      },
    },
    sessions: {
      async create(request, { idempotencyKey = '' } = {}) {
        failIfScripted('createSession');
        bridge.requests.push({ webhookUrl: '', ...request, idempotencyKey });
        const earlier = answers.get(idempotencyKey);
        if (earlier) return earlier;
        const number = answers.size + 1;
        const sessionId = `ses_${number}`;
        const applicationId = bridge.resumed ?? `app_${number}`;
        const { userId, applicationType, licenseType } = request;
        const progress = { step: 'not_started', index: 0, count: 6 };
        const fresh = { applicationId, userId, applicationType, licenseType, progress, states: [] };
        applications.set(applicationId, { ...(applications.get(applicationId) ?? fresh), sessionId });
        const lifetimeMs = bridge.sessionLifetimeMs;
        const answer = {
          applicationId,
          sessionId,
          applicationUrl: `https://apply.example/s/capability-of-${sessionId}`,
          ...(lifetimeMs === undefined ? {} : { expiresAt: new Date(now() + lifetimeMs).toISOString() }),
          estimatedFees: { total: 100 },
          prefilled: { npn: false, ssn: false, backgroundQuestions: false },
        };
        answers.set(idempotencyKey, answer);
        return answer;
      },
    },
    applications: {
      async get(applicationId) {
        bridge.readings.push(applicationId);
        const application = applications.get(applicationId);
        const wasFailing = failing;
        await held;
        if (wasFailing !== undefined) failIfScripted('getApplication');
        if (!application) throw bridgeError('not_found', 'getApplication');
        return application;
      },
    },
    change(applicationId, change) {
      const application = applications.get(applicationId);
      if (application) applications.set(applicationId, { ...application, ...change });
    },
    fail(code) {
      failing = code;
    },
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = () => {
          held = undefined;
          resolve();
        };
      });
      return release;
    },
  };
  return bridge;
}
