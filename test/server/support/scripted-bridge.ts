import {
  BridgeClientError,
  type BridgeClient,
  type BridgeClientErrorCode,
  type ReceivedApplication,
} from '../../../src/server/index.js';
import type { CreateSessionRequest, LicensingProfile, Session } from '../../../src/contract/index.js';

/** A bridge whose applications a test moves on by hand. */
export interface ScriptedBridge {
  syncProfile(userId: string, profile: LicensingProfile): Promise<object & { userId?: string }>;
  createSession(request: CreateSessionRequest): Promise<Session>;
  getApplication(applicationId: string): Promise<ReceivedApplication>;
  /** What was asked of it. */
  profiles: { userId: string; profile: LicensingProfile }[];
  sessions: CreateSessionRequest[];
  readings: string[];
  /** Changes what an application is. */
  move(applicationId: string, change: Partial<ReceivedApplication>): void;
  /** Makes every call fail with this code until it is called with `undefined`. */
  fail(code: BridgeClientErrorCode | undefined): void;
  /** Makes readings wait until the function that it returns is called. */
  hold(): () => void;
  /** The application that further sessions go on with. */
  begun: string | undefined;
  /** How long sessions live, in milliseconds; `undefined`: it does not say. */
  sessionLifetimeMs: number | undefined;
}

/** A scripted bridge as the client that a handler takes. */
export function clientOf(bridge: ScriptedBridge): Pick<BridgeClient, 'profiles' | 'sessions' | 'applications'> {
  return {
    profiles: { sync: (userId, profile) => bridge.syncProfile(userId, profile) },
    sessions: { create: (request) => bridge.createSession(request) },
    applications: { get: (applicationId) => bridge.getApplication(applicationId) },
  };
}

/** Starts without applications. */
export function scriptedBridge(now: () => number): ScriptedBridge {
  const applications = new Map<string, ReceivedApplication>();
  let failing: BridgeClientErrorCode | undefined;
  let held: Promise<void> | undefined;

  function checkUp(operation: 'getApplication' | 'createSession' | 'syncProfile'): void {
    if (failing === undefined) return;
    throw new BridgeClientError({
      code: failing,
      operation,
      message: `${operation}: scripted failure.`,
      retryable: true,
    });
  }

  const bridge: ScriptedBridge = {
    profiles: [],
    sessions: [],
    readings: [],
    begun: undefined,
    sessionLifetimeMs: 24 * 60 * 60_000,
    async syncProfile(userId, profile) {
      await Promise.resolve();
      checkUp('syncProfile');
      bridge.profiles.push({ userId, profile });
      return {};
    },
    async createSession(request) {
      await Promise.resolve();
      checkUp('createSession');
      const number = bridge.sessions.push(request);
      const sessionId = `ses_${String(number)}`;
      const applicationId = bridge.begun ?? `app_${String(number)}`;
      const { userId, applicationType, licenseType } = request;
      const progress = { step: 'not_started', index: 0, count: 6 };
      const fresh = { applicationId, userId, applicationType, licenseType, progress, states: [] };
      applications.set(applicationId, { ...(applications.get(applicationId) ?? fresh), sessionId });
      const lifetime = bridge.sessionLifetimeMs;
      return {
        applicationId,
        sessionId,
        applicationUrl: `https://apply.example/s/capability-of-${bridge.begun === undefined ? applicationId : sessionId}`,
        ...({ expiresAt: lifetime === undefined ? undefined : new Date(now() + lifetime).toISOString() } as {
          expiresAt: string;
        }),
        estimatedFees: { total: 100 },
        prefilled: { npn: false, ssn: false, backgroundQuestions: false },
      };
    },
    async getApplication(applicationId) {
      bridge.readings.push(applicationId);
      const application = applications.get(applicationId);
      const wasFailing = failing;
      await held;
      if (wasFailing !== undefined) checkUp('getApplication');
      if (!application) throw new Error('No such application.');
      return application;
    },
    move(applicationId, change) {
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
