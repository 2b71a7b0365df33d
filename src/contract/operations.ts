import type { Application, DecideStateRequest } from './application.js';
import type { AgencyCredential, CreateAccountCredentialQuery } from './credential.js';
import type { LoginRequest, LoginResponse } from './login.js';
import type { LicensingProfile, UserLicensingProfile } from './profile.js';
import type { CreateSessionRequest, Session } from './session.js';

/**
 * The table of operations. Routes, client methods, documents and tests are made from it: to add an operation, add a row
 * here and its types in {@link OperationTypes}; the compiler then names every place that lacks it.
 */
export interface Operation {
  /** The number in the spec's endpoint table; 0 for our own additions. */
  number: number;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path with `{name}` for each parameter. */
  path: string;
  /**
   * - `none`: public.
   * - `bearer`: needs a token.
   * - `optional`: takes a token and may work without one (operation 3).
   * - `test`: needs a test token; does not exist for a live one.
   */
  auth: 'none' | 'bearer' | 'optional' | 'test';
  /** Whether the operation takes a JSON body. */
  body: boolean;
  /** The statuses that a caller may meet besides 405, 413, 415 and 429, which every operation can answer. */
  statuses: readonly number[];
  /** One sentence for the docs. */
  summary: string;
}

/** Operations of the spec that are served, and our test helper. */
export const operations = {
  login: {
    number: 1,
    method: 'POST',
    path: '/v1/auth/login',
    auth: 'none',
    body: true,
    statuses: [200, 400, 401, 500],
    summary: 'Trades client credentials for an access token.',
  },
  createAccountCredential: {
    number: 3,
    method: 'POST',
    path: '/v1/account/account-credential',
    auth: 'optional',
    body: false,
    statuses: [200, 400, 401, 500],
    summary: 'Issues the credential of an agency.',
  },
  syncProfile: {
    number: 17,
    method: 'PATCH',
    path: '/v1/users/{userId}/licensing-profile',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
    summary: 'Merges what is known of a user, for later applications.',
  },
  createSession: {
    number: 18,
    method: 'POST',
    path: '/v1/applications/sessions',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
    summary: 'Creates an application and the address at which the user completes it.',
  },
  getApplication: {
    number: 19,
    method: 'GET',
    path: '/v1/applications/{applicationId}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 403, 404, 500],
    summary: 'Reads the progress of an application and its status per state.',
  },
  decideState: {
    number: 0,
    method: 'POST',
    path: '/v1/test_helpers/applications/{applicationId}/states/{state}',
    auth: 'test',
    body: true,
    statuses: [200, 400, 401, 403, 404, 500],
    summary: 'Lets a simulated department decide. Test mode only.',
  },
} as const satisfies Record<string, Operation>;

/** The name of an operation in {@link operations}. */
export type OperationId = keyof typeof operations;

/** What goes in and out of each operation. `undefined` where there is nothing. */
export interface OperationTypes {
  login: { params: undefined; query: undefined; body: LoginRequest; response: LoginResponse };
  createAccountCredential: {
    params: undefined;
    query: CreateAccountCredentialQuery;
    body: undefined;
    response: AgencyCredential;
  };
  syncProfile: {
    params: { userId: string };
    query: undefined;
    body: LicensingProfile;
    response: UserLicensingProfile;
  };
  createSession: { params: undefined; query: undefined; body: CreateSessionRequest; response: Session };
  getApplication: { params: { applicationId: string }; query: undefined; body: undefined; response: Application };
  decideState: {
    params: { applicationId: string; state: string };
    query: undefined;
    body: DecideStateRequest;
    response: Application;
  };
}
