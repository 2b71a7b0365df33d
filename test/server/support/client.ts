import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { inspect } from 'node:util';
import {
  createBridgeClient,
  isBridgeClientError,
  type BridgeClientError,
  type BridgeClientOptions,
  type CreateSessionRequest,
  type LogEntry,
} from '../../../src/server/index.js';
import { hostileBridge } from './hostile-bridge.js';

/** Must never be seen anywhere. */
export const clientSecret = 'secret-that-nobody-may-see-0123456789';
/** The path of login (operation 1). */
export const login = '/v1/auth/login';
/** The path of getApplication (operation 19) for one application. */
export const application = '/v1/applications/app_1';
/** The path of createSession (operation 18). */
export const sessions = '/v1/applications/sessions';
/** An answer of getApplication (operation 19). */
export const applicationBody = {
  applicationId: 'app_1',
  sessionId: 'ses_1',
  userId: 'usr_1',
  applicationType: 'new',
  licenseType: 'life_health',
  progress: { step: 'identity', index: 2, count: 6 },
  states: [],
};
/** An answer of createSession (operation 18). */
export const sessionBody = {
  sessionId: 'ses_1',
  applicationId: 'app_1',
  applicationUrl: 'https://apply.example/s/abc',
  expiresAt: '2026-11-21T12:00:00.000Z',
  estimatedFees: { total: 120.5 },
  prefilled: { npn: true, ssn: false, backgroundQuestions: false },
};
/** A body of createSession (operation 18). */
export const sessionRequest: CreateSessionRequest = {
  userId: 'usr_1',
  applicationType: 'new',
  licenseType: 'life_health',
  states: ['TX'],
  returnUrl: 'https://agency.example/done',
};

/** A client of a scripted server. */
export async function setup(context: TestContext, options: Partial<BridgeClientOptions> = {}) {
  const server = await hostileBridge(context);
  const entries: LogEntry[] = [];
  const client = createBridgeClient({
    baseUrl: server.url,
    clientId: 'client_1',
    clientSecret,
    // No jitter: repetitions follow at once.
    random: () => 0,
    log: (entry) => entries.push(entry),
    ...options,
  });
  return { server, client, entries };
}

/** The error of a call that has to fail. */
export async function rejection(promise: Promise<unknown>): Promise<BridgeClientError> {
  const thrown: unknown = await promise.then(
    () => assert.fail('It should have failed.'),
    (error: unknown) => error,
  );
  assert.ok(isBridgeClientError(thrown), inspect(thrown));
  return thrown;
}
