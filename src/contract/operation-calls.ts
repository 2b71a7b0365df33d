/** How an operation is called. Apart from what else is known of it, so that a partner's bundle carries no more than this. */
export interface OperationCall {
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
}

/** How each operation is called: the 19 of the spec, and our test helper. */
export const operationCalls = {
  login: {
    method: 'POST',
    path: '/v1/auth/login',
    auth: 'none',
    body: true,
  },
  updateAccount: {
    method: 'PATCH',
    path: '/v1/account',
    auth: 'bearer',
    body: true,
  },
  createAccountCredential: {
    method: 'POST',
    path: '/v1/account/account-credential',
    auth: 'optional',
    body: false,
  },
  resetCredential: {
    method: 'PATCH',
    path: '/v1/account/reset-credential',
    auth: 'bearer',
    body: false,
  },
  onboardProducer: {
    method: 'POST',
    path: '/v1/account/producer',
    auth: 'bearer',
    body: true,
  },
  getBulkDetails: {
    method: 'GET',
    path: '/v1/account/producer/bulk/details/{id}',
    auth: 'bearer',
    body: false,
  },
  startBulkOnboarding: {
    method: 'POST',
    path: '/v1/account/producer/bulk/onboard',
    auth: 'bearer',
    body: true,
  },
  getBulkStatus: {
    method: 'GET',
    path: '/v1/account/producer/bulk/status/{id}',
    auth: 'bearer',
    body: false,
  },
  listActiveLicenses: {
    method: 'GET',
    path: '/v1/account/producer/license/active',
    auth: 'bearer',
    body: false,
  },
  lookUpNpn: {
    method: 'POST',
    path: '/v1/account/producer/npn-lookup',
    auth: 'bearer',
    body: true,
  },
  getSubscriptionUpdate: {
    method: 'POST',
    path: '/v1/account/producer/subscription-update',
    auth: 'bearer',
    body: true,
  },
  subscribe: {
    method: 'POST',
    path: '/v1/subscribe',
    auth: 'bearer',
    body: true,
  },
  unsubscribe: {
    method: 'DELETE',
    path: '/v1/unsubscribe',
    auth: 'bearer',
    body: true,
  },
  assignTerritory: {
    method: 'POST',
    path: '/v1/account/producer/{npn}/territories',
    auth: 'bearer',
    body: true,
  },
  unassignTerritory: {
    method: 'DELETE',
    path: '/v1/account/producer/{npn}/territories/{territoryId}',
    auth: 'bearer',
    body: false,
  },
  listTerritories: {
    method: 'GET',
    path: '/v1/account/territories',
    auth: 'bearer',
    body: false,
  },
  syncProfile: {
    method: 'PATCH',
    path: '/v1/users/{userId}/licensing-profile',
    auth: 'bearer',
    body: true,
  },
  createSession: {
    method: 'POST',
    path: '/v1/applications/sessions',
    auth: 'bearer',
    body: true,
  },
  getApplication: {
    method: 'GET',
    path: '/v1/applications/{applicationId}',
    auth: 'bearer',
    body: false,
  },
  decideState: {
    method: 'POST',
    path: '/v1/test_helpers/applications/{applicationId}/states/{state}',
    auth: 'test',
    body: true,
  },
} as const satisfies Record<string, OperationCall>;

/** The name of an operation in {@link operationCalls}. */
export type OperationId = keyof typeof operationCalls;
