import type { Account, AccountUpdateRequest, CredentialReset } from './account.js';
import type { Application, DecideStateRequest } from './application.js';
import type { BulkDetails, BulkDetailsQuery, BulkOnboardRequest, BulkStart, BulkStatus } from './bulk.js';
import type { AgencyCredential, CreateAccountCredentialQuery } from './credential.js';
import type { LoginRequest, LoginResponse } from './login.js';
import type { NpnLookUp, NpnLookUpRequest, ProducerOnboardRequest } from './onboarding.js';
import type { ActiveLicenses, ActiveLicensesQuery, ProducerDetail } from './producer.js';
import type { LicensingProfile, UserLicensingProfile } from './profile.js';
import type { CreateSessionRequest, Session } from './session.js';
import type {
  Subscription,
  SubscriptionRequest,
  SubscriptionUpdate,
  SubscriptionUpdateRequest,
} from './subscription.js';
import type {
  TerritoriesQuery,
  TerritoryAssignment,
  TerritoryAssignRequest,
  TerritoryList,
  TerritoryUnassignment,
} from './territory.js';

/** One row of {@link operations}. */
export interface Operation {
  /** The number in the endpoint table of the spec; 0 for our own additions. */
  number: number;
  /** One sentence for the docs. */
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
  /** The statuses that a caller may receive besides 405, 413, 415 and 429, which every operation can answer. */
  statuses: readonly number[];
}

/**
 * The table of operations: the 19 of the spec, and our test helper. Routes, client, documents and tests are made from it.
 * To add an operation, add a row here and its types in {@link OperationTypes}. The compiler then names every place that
 * lacks it.
 */
export const operations = {
  login: {
    number: 1,
    summary: 'Trades client credentials for an access token.',
    method: 'POST',
    path: '/v1/auth/login',
    auth: 'none',
    body: true,
    statuses: [200, 400, 401, 500],
  },
  updateAccount: {
    number: 2,
    summary: "Changes the account settings of the token's mode.",
    method: 'PATCH',
    path: '/v1/account',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
  },
  createAccountCredential: {
    number: 3,
    summary: 'Issues the credential of an agency.',
    method: 'POST',
    path: '/v1/account/account-credential',
    auth: 'optional',
    body: false,
    statuses: [200, 400, 401, 500],
  },
  resetCredential: {
    number: 4,
    summary: 'Replaces both client secrets and ends every token issued before.',
    method: 'PATCH',
    path: '/v1/account/reset-credential',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
  },
  onboardProducer: {
    number: 5,
    summary: 'Looks up, subscribes or onboards one producer.',
    method: 'POST',
    path: '/v1/account/producer',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
  },
  getBulkDetails: {
    number: 6,
    summary: 'Reads the producers of a bulk onboarding, fifty a page.',
    method: 'GET',
    path: '/v1/account/producer/bulk/details/{id}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 404, 500],
  },
  startBulkOnboarding: {
    number: 7,
    summary: 'Starts onboarding up to 10,000 producers.',
    method: 'POST',
    path: '/v1/account/producer/bulk/onboard',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
  },
  getBulkStatus: {
    number: 8,
    summary: 'Reads how far a bulk onboarding is.',
    method: 'GET',
    path: '/v1/account/producer/bulk/status/{id}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 404, 500],
  },
  listActiveLicenses: {
    number: 9,
    summary: 'Lists the active licenses of the onboarded producers by state.',
    method: 'GET',
    path: '/v1/account/producer/license/active',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
  },
  lookUpNpn: {
    number: 10,
    summary: 'Finds an NPN by last name and SSN.',
    method: 'POST',
    path: '/v1/account/producer/npn-lookup',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
  },
  getSubscriptionUpdate: {
    number: 11,
    summary: 'Reads the latest update of a subscribed producer.',
    method: 'POST',
    path: '/v1/account/producer/subscription-update',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
  },
  subscribe: {
    number: 12,
    summary: 'Adds subscription targets.',
    method: 'POST',
    path: '/v1/subscribe',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
  },
  unsubscribe: {
    number: 13,
    summary: 'Removes subscription targets.',
    method: 'DELETE',
    path: '/v1/unsubscribe',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
  },
  assignTerritory: {
    number: 14,
    summary: 'Assigns a territory to a producer.',
    method: 'POST',
    path: '/v1/account/producer/{npn}/territories',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 500],
  },
  unassignTerritory: {
    number: 15,
    summary: 'Takes a territory from a producer.',
    method: 'DELETE',
    path: '/v1/account/producer/{npn}/territories/{territoryId}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
  },
  listTerritories: {
    number: 16,
    summary: 'Lists the territories of the agency and who works in them.',
    method: 'GET',
    path: '/v1/account/territories',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 500],
  },
  syncProfile: {
    number: 17,
    summary: 'Merges what is known of a user, for later applications.',
    method: 'PATCH',
    path: '/v1/users/{userId}/licensing-profile',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
  },
  createSession: {
    number: 18,
    summary: 'Creates an application and the address at which the user completes it.',
    method: 'POST',
    path: '/v1/applications/sessions',
    auth: 'bearer',
    body: true,
    statuses: [200, 400, 401, 403, 500],
  },
  getApplication: {
    number: 19,
    summary: 'Reads the progress of an application and its status per state.',
    method: 'GET',
    path: '/v1/applications/{applicationId}',
    auth: 'bearer',
    body: false,
    statuses: [200, 400, 401, 403, 404, 500],
  },
  decideState: {
    number: 0,
    summary: 'Lets a simulated department decide. Test mode only.',
    method: 'POST',
    path: '/v1/test_helpers/applications/{applicationId}/states/{state}',
    auth: 'test',
    body: true,
    statuses: [200, 400, 401, 403, 404, 500],
  },
} as const satisfies Record<string, Operation>;

/** The name of an operation in {@link operations}. */
export type OperationId = keyof typeof operations;

/** The parts of an operation. What it does not have is absent. */
interface Parts {
  params?: object;
  query?: object;
  body?: object;
  response: object;
}

/** Fills in `undefined` for the parts that an operation does not have. */
type Whole<T extends Parts> = {
  [Part in keyof Required<Parts>]: T extends Record<Part, infer Value> ? Value : undefined;
};

/** What goes in and out of each operation. `undefined` where there is nothing. */
export interface OperationTypes extends Record<OperationId, Required<{ [Part in keyof Parts]: unknown }>> {
  login: Whole<{ body: LoginRequest; response: LoginResponse }>;
  updateAccount: Whole<{ body: AccountUpdateRequest; response: Account }>;
  createAccountCredential: Whole<{ query: CreateAccountCredentialQuery; response: AgencyCredential }>;
  resetCredential: Whole<{ response: CredentialReset }>;
  onboardProducer: Whole<{ body: ProducerOnboardRequest; response: ProducerDetail }>;
  getBulkDetails: Whole<{ params: { id: string }; query: BulkDetailsQuery; response: BulkDetails }>;
  startBulkOnboarding: Whole<{ body: BulkOnboardRequest; response: BulkStart }>;
  getBulkStatus: Whole<{ params: { id: string }; response: BulkStatus }>;
  listActiveLicenses: Whole<{ query: ActiveLicensesQuery; response: ActiveLicenses[] }>;
  lookUpNpn: Whole<{ body: NpnLookUpRequest; response: NpnLookUp }>;
  getSubscriptionUpdate: Whole<{ body: SubscriptionUpdateRequest; response: SubscriptionUpdate }>;
  subscribe: Whole<{ body: SubscriptionRequest; response: Subscription }>;
  unsubscribe: Whole<{ body: SubscriptionRequest; response: Subscription }>;
  assignTerritory: Whole<{ params: { npn: string }; body: TerritoryAssignRequest; response: TerritoryAssignment }>;
  unassignTerritory: Whole<{ params: { npn: string; territoryId: string }; response: TerritoryUnassignment }>;
  listTerritories: Whole<{ query: TerritoriesQuery; response: TerritoryList }>;
  syncProfile: Whole<{ params: { userId: string }; body: LicensingProfile; response: UserLicensingProfile }>;
  createSession: Whole<{ body: CreateSessionRequest; response: Session }>;
  getApplication: Whole<{ params: { applicationId: string }; response: Application }>;
  decideState: Whole<{
    params: { applicationId: string; state: string };
    body: DecideStateRequest;
    response: Application;
  }>;
}
