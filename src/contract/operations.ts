import type { OnboardType } from './values.js';

/** One row of {@link operations}. */
export interface Operation {
  /** The number in the endpoint table of the spec; 0 for our own additions. */
  number: number;
  /** A sentence for the docs. */
  summary: string;
  /** The HTTP method. */
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
  /**
   * The statuses of its responses besides 405, 413, 415, 429 and 503, which every operation can
   * have.
   */
  statuses: readonly number[];
  /** The fields of the query and the body by their paths, such as `residentialAddress.zip`. */
  fields: readonly string[];
  /** The rule for repeating a request. For onboardProducer (operation 5), by onboard type. */
  repeat: Repeat | Readonly<Record<OnboardType, Repeat>>;
  /** Whether the body may have an SSN: always, or for the onboard type `team`. Absent: never. */
  ssn?: 'always' | 'team';
  /**
   * Whether it accepts an `Idempotency-Key`: the same key and body within 24 hours get the same
   * response. With a host that honors the header, repeating is always safe.
   */
  idempotencyKey?: true;
}

/**
 * The rules for repeating a request after a failure without a second effect.
 *
 * | What happened                              | `always` | `unless_processed` | `unless_sent` |
 * | ------------------------------------------ | -------- | ------------------ | ------------- |
 * | no connection was made                     | yes      | yes                | yes           |
 * | 429: the host did nothing                  | yes      | yes                | no            |
 * | it broke; 500, 502, 503, 504: maybe done   | yes      | no                 | no            |
 * | any other answer                           | no       | no                 | no            |
 */
export type Repeat = 'always' | 'unless_processed' | 'unless_sent';

/**
 * The table of operations: the 19 of the spec, and our test helper. Routes, client, documents and
 * tests are made from it. To add an operation, add a row here and its types in `OperationTypes`.
 * The compiler then names every place that lacks it.
 */
export const operations = {
  login: {
    number: 1,
    summary: 'Issues an access token for client credentials.',
    method: 'POST',
    path: '/v1/auth/login',
    auth: 'none',
    body: true,
    statuses: [200, 400, 401, 500],
    fields: ['clientId', 'clientSecret'],
    repeat: 'always',
  },
  updateAccount: {
    number: 2,
    summary: "Changes the account settings of the token's mode.",
    method: 'PATCH',
    path: '/v1/account',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
    fields: ['businessEmail', 'webhookPreference', 'webhookUrl'],
    repeat: 'always',
  },
  createAccountCredential: {
    number: 3,
    summary: 'Issues the credential of an agency.',
    method: 'POST',
    path: '/v1/account/account-credential',
    auth: 'optional',
    body: false,
    statuses: [200, 400, 401, 500],
    fields: ['agencyId'],
    // Each call replaces the credential, and only its response has the new secrets.
    repeat: 'unless_sent',
  },
  resetCredential: {
    number: 4,
    summary: 'Replaces both client secrets and ends every token issued before.',
    method: 'PATCH',
    path: '/v1/account/reset-credential',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
    fields: [],
    // A lost response contains the secret that the next attempt would need.
    repeat: 'unless_sent',
  },
  onboardProducer: {
    number: 5,
    summary: 'Looks up, subscribes or onboards one producer.',
    method: 'POST',
    path: '/v1/account/producer',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
    fields: ['npn', 'onboardType', 'paymentResponsibility', 'email', 'firstName', 'lastName', 'phone', 'gender', 'ssn'],
    // A host may bill the agency or write to the member each time.
    repeat: { lookup: 'always', subscribe: 'always', team: 'unless_processed' },
    ssn: 'team',
  },
  getBulkDetails: {
    number: 6,
    summary: 'Reads the producers of a bulk onboarding, fifty per page.',
    method: 'GET',
    path: '/v1/account/producer/bulk/details/{id}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 404, 500],
    fields: ['page'],
    repeat: 'always',
  },
  startBulkOnboarding: {
    number: 7,
    summary: 'Starts onboarding up to 10,000 producers.',
    method: 'POST',
    path: '/v1/account/producer/bulk/onboard',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
    fields: ['npn', 'onboardType'],
    repeat: 'unless_processed',
  },
  getBulkStatus: {
    number: 8,
    summary: 'Reads the progress of a bulk onboarding.',
    method: 'GET',
    path: '/v1/account/producer/bulk/status/{id}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 404, 500],
    fields: [],
    repeat: 'always',
  },
  listActiveLicenses: {
    number: 9,
    summary: 'Lists the active licenses of the onboarded producers by state.',
    method: 'GET',
    path: '/v1/account/producer/license/active',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
    fields: ['stateCode'],
    repeat: 'always',
  },
  lookUpNpn: {
    number: 10,
    summary: 'Finds an NPN by last name and SSN.',
    method: 'POST',
    path: '/v1/account/producer/npn-lookup',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
    fields: ['lastName', 'ssn'],
    repeat: 'always',
    ssn: 'always',
  },
  getSubscriptionUpdate: {
    number: 11,
    summary: 'Reads the latest update of a subscribed producer.',
    method: 'POST',
    path: '/v1/account/producer/subscription-update',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
    fields: ['npn', 'reportDate'],
    repeat: 'always',
  },
  subscribe: {
    number: 12,
    summary: 'Adds subscription targets.',
    method: 'POST',
    path: '/v1/subscribe',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
    fields: ['npns'],
    repeat: 'always',
  },
  unsubscribe: {
    number: 13,
    summary: 'Removes subscription targets.',
    method: 'DELETE',
    path: '/v1/unsubscribe',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
    fields: ['npns'],
    repeat: 'always',
  },
  assignTerritory: {
    number: 14,
    summary: 'Assigns a territory to a producer.',
    method: 'POST',
    path: '/v1/account/producer/{npn}/territories',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
    fields: ['territoryId'],
    repeat: 'always',
  },
  unassignTerritory: {
    number: 15,
    summary: 'Unassigns a territory from a producer.',
    method: 'DELETE',
    path: '/v1/account/producer/{npn}/territories/{territoryId}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
    fields: [],
    // The second call would be refused, as if the first had failed.
    repeat: 'unless_processed',
  },
  listTerritories: {
    number: 16,
    summary: 'Lists the territories of the agency with their producers.',
    method: 'GET',
    path: '/v1/account/territories',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
    fields: ['page', 'pageSize'],
    repeat: 'always',
  },
  syncProfile: {
    number: 17,
    summary: 'Merges the profile of a user, for later applications.',
    method: 'PATCH',
    path: '/v1/users/{userId}/licensing-profile',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
    fields: [
      'npn',
      'firstName',
      'lastName',
      'email',
      'phone',
      'dateOfBirth',
      'residentialAddress',
      'residentialAddress.street',
      'residentialAddress.city',
      'residentialAddress.state',
      'residentialAddress.zip',
    ],
    repeat: 'always',
  },
  createSession: {
    number: 18,
    summary: 'Creates an application and the URL at which the user completes it.',
    method: 'POST',
    path: '/v1/applications/sessions',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
    fields: ['userId', 'applicationType', 'licenseType', 'states', 'paymentMethod', 'returnUrl', 'webhookUrl'],
    repeat: 'unless_processed',
    idempotencyKey: true,
  },
  getApplication: {
    number: 19,
    summary: 'Reads the progress of an application and its status per state.',
    method: 'GET',
    path: '/v1/applications/{applicationId}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 403, 404, 500],
    fields: [],
    repeat: 'always',
  },
  completeApplication: {
    number: 0,
    summary: 'Completes and submits an application with sample data. Test mode only.',
    method: 'POST',
    path: '/v1/test_helpers/applications/{applicationId}/complete',
    auth: 'test',
    body: true,
    statuses: [200, 400, 401, 403, 404, 500],
    fields: ['outcome'],
    // The second completion would find the application submitted.
    repeat: 'unless_processed',
  },
  decideState: {
    number: 0,
    summary: 'Has a simulated department decide. Test mode only.',
    method: 'POST',
    path: '/v1/test_helpers/applications/{applicationId}/states/{state}',
    auth: 'test',
    body: true,
    statuses: [200, 400, 401, 403, 404, 500],
    fields: ['status', 'reason', 'licenseNumber', 'issuedOn', 'expiresOn', 'lines'],
    // The second decision would be a forbidden transition.
    repeat: 'unless_processed',
  },
} as const satisfies Record<string, Operation>;

/** The name of an operation in {@link operations}. */
export type OperationId = keyof typeof operations;
