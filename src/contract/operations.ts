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

/** The 19 operations of the spec, and our test helper. */
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
  updateAccount: {
    number: 2,
    method: 'PATCH',
    path: '/v1/account',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
    summary: "Changes the account settings of the token's mode.",
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
  resetCredential: {
    number: 4,
    method: 'PATCH',
    path: '/v1/account/reset-credential',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
    summary: 'Replaces both client secrets and ends every token issued before.',
  },
  onboardProducer: {
    number: 5,
    method: 'POST',
    path: '/v1/account/producer',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
    summary: 'Looks up, subscribes or onboards one producer.',
  },
  getBulkDetails: {
    number: 6,
    method: 'GET',
    path: '/v1/account/producer/bulk/details/{id}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 404, 500],
    summary: 'Reads the producers of a bulk onboarding, fifty a page.',
  },
  startBulkOnboarding: {
    number: 7,
    method: 'POST',
    path: '/v1/account/producer/bulk/onboard',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
    summary: 'Starts onboarding up to 10,000 producers.',
  },
  getBulkStatus: {
    number: 8,
    method: 'GET',
    path: '/v1/account/producer/bulk/status/{id}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 404, 500],
    summary: 'Reads how far a bulk onboarding is.',
  },
  listActiveLicenses: {
    number: 9,
    method: 'GET',
    path: '/v1/account/producer/license/active',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
    summary: 'Lists the active licenses of the onboarded producers by state.',
  },
  lookUpNpn: {
    number: 10,
    method: 'POST',
    path: '/v1/account/producer/npn-lookup',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
    summary: 'Finds an NPN by last name and SSN.',
  },
  getSubscriptionUpdate: {
    number: 11,
    method: 'POST',
    path: '/v1/account/producer/subscription-update',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
    summary: 'Reads the latest update of a subscribed producer.',
  },
  subscribe: {
    number: 12,
    method: 'POST',
    path: '/v1/subscribe',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
    summary: 'Adds subscription targets.',
  },
  unsubscribe: {
    number: 13,
    method: 'DELETE',
    path: '/v1/unsubscribe',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
    summary: 'Removes subscription targets.',
  },
  assignTerritory: {
    number: 14,
    method: 'POST',
    path: '/v1/account/producer/{npn}/territories',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
    summary: 'Assigns a territory to a producer.',
  },
  unassignTerritory: {
    number: 15,
    method: 'DELETE',
    path: '/v1/account/producer/{npn}/territories/{territoryId}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
    summary: 'Takes a territory from a producer.',
  },
  listTerritories: {
    number: 16,
    method: 'GET',
    path: '/v1/account/territories',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
    summary: 'Lists the territories of the agency and who works in them.',
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
