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
}

/** The 19 operations of the spec, and our test helper. */
export const operations = {
  login: {
    number: 1,
    method: 'POST',
    path: '/v1/auth/login',
    auth: 'none',
    body: true,
    statuses: [200, 400, 401, 500],
  },
  updateAccount: {
    number: 2,
    method: 'PATCH',
    path: '/v1/account',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
  },
  createAccountCredential: {
    number: 3,
    method: 'POST',
    path: '/v1/account/account-credential',
    auth: 'optional',
    body: false,
    statuses: [200, 400, 401, 500],
  },
  resetCredential: {
    number: 4,
    method: 'PATCH',
    path: '/v1/account/reset-credential',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
  },
  onboardProducer: {
    number: 5,
    method: 'POST',
    path: '/v1/account/producer',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
  },
  getBulkDetails: {
    number: 6,
    method: 'GET',
    path: '/v1/account/producer/bulk/details/{id}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 404, 500],
  },
  startBulkOnboarding: {
    number: 7,
    method: 'POST',
    path: '/v1/account/producer/bulk/onboard',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
  },
  getBulkStatus: {
    number: 8,
    method: 'GET',
    path: '/v1/account/producer/bulk/status/{id}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 404, 500],
  },
  listActiveLicenses: {
    number: 9,
    method: 'GET',
    path: '/v1/account/producer/license/active',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
  },
  lookUpNpn: {
    number: 10,
    method: 'POST',
    path: '/v1/account/producer/npn-lookup',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
  },
  getSubscriptionUpdate: {
    number: 11,
    method: 'POST',
    path: '/v1/account/producer/subscription-update',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
  },
  subscribe: {
    number: 12,
    method: 'POST',
    path: '/v1/subscribe',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
  },
  unsubscribe: {
    number: 13,
    method: 'DELETE',
    path: '/v1/unsubscribe',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
  },
  assignTerritory: {
    number: 14,
    method: 'POST',
    path: '/v1/account/producer/{npn}/territories',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
  },
  unassignTerritory: {
    number: 15,
    method: 'DELETE',
    path: '/v1/account/producer/{npn}/territories/{territoryId}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
  },
  listTerritories: {
    number: 16,
    method: 'GET',
    path: '/v1/account/territories',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
  },
  syncProfile: {
    number: 17,
    method: 'PATCH',
    path: '/v1/users/{userId}/licensing-profile',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
  },
  createSession: {
    number: 18,
    method: 'POST',
    path: '/v1/applications/sessions',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
  },
  getApplication: {
    number: 19,
    method: 'GET',
    path: '/v1/applications/{applicationId}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 403, 404, 500],
  },
  decideState: {
    number: 0,
    method: 'POST',
    path: '/v1/test_helpers/applications/{applicationId}/states/{state}',
    auth: 'test',
    body: true,
    statuses: [200, 400, 401, 403, 404, 500],
  },
} as const satisfies Record<string, Operation>;

/** The name of an operation in {@link operations}. */
export type OperationId = keyof typeof operations;
