import type {
  CompleteApplicationRequest,
  Account,
  AccountUpdateRequest,
  ActiveLicenses,
  ActiveLicensesQuery,
  AgencyCredential,
  Application,
  BulkDetails,
  BulkDetailsQuery,
  BulkOnboardRequest,
  BulkStart,
  BulkStatus,
  CreateAccountCredentialQuery,
  CreateSessionRequest,
  CredentialReset,
  DecideStateRequest,
  LicensingProfile,
  LoginRequest,
  LoginResponse,
  NpnLookUp,
  NpnLookUpRequest,
  ProducerDetail,
  ProducerOnboardRequest,
  Session,
  Subscription,
  SubscriptionRequest,
  SubscriptionUpdate,
  SubscriptionUpdateRequest,
  TerritoriesQuery,
  TerritoryAssignment,
  TerritoryAssignRequest,
  TerritoryList,
  TerritoryUnassignment,
  UserLicensingProfile,
} from './generated.js';
import type { OperationId } from './operations.js';

/** The parts of an operation. Parts that it does not have are absent. */
interface Parts {
  params?: object;
  query?: object;
  body?: object;
  response: object;
}

/** Adds `undefined` for the parts that an operation does not have. */
type Whole<T extends Parts> = {
  [Part in keyof Required<Parts>]: T extends Record<Part, infer Value> ? Value : undefined;
};

/** The request and response of each operation. `undefined` where there is none. */
export interface OperationTypes {
  login: Whole<{ body: LoginRequest; response: LoginResponse }>;
  updateAccount: Whole<{ body: AccountUpdateRequest; response: Account }>;
  createAccountCredential: Whole<{ query: CreateAccountCredentialQuery; response: AgencyCredential }>;
  resetCredential: Whole<{ response: CredentialReset }>;
  onboardProducer: Whole<{ body: ProducerOnboardRequest; response: ProducerDetail }>;
  getBulkDetails: Whole<{
    params: { id: string };
    query: BulkDetailsQuery;
    response: BulkDetails;
  }>;
  startBulkOnboarding: Whole<{ body: BulkOnboardRequest; response: BulkStart }>;
  getBulkStatus: Whole<{ params: { id: string }; response: BulkStatus }>;
  listActiveLicenses: Whole<{
    query: ActiveLicensesQuery;
    response: ActiveLicenses[];
  }>;
  lookUpNpn: Whole<{ body: NpnLookUpRequest; response: NpnLookUp }>;
  getSubscriptionUpdate: Whole<{
    body: SubscriptionUpdateRequest;
    response: SubscriptionUpdate;
  }>;
  subscribe: Whole<{ body: SubscriptionRequest; response: Subscription }>;
  unsubscribe: Whole<{ body: SubscriptionRequest; response: Subscription }>;
  assignTerritory: Whole<{
    params: { npn: string | number };
    body: TerritoryAssignRequest;
    response: TerritoryAssignment;
  }>;
  unassignTerritory: Whole<{ params: { npn: string | number; territoryId: string }; response: TerritoryUnassignment }>;
  listTerritories: Whole<{ query: TerritoriesQuery; response: TerritoryList }>;
  syncProfile: Whole<{
    params: { userId: string };
    body: LicensingProfile;
    response: UserLicensingProfile;
  }>;
  createSession: Whole<{ body: CreateSessionRequest; response: Session }>;
  getApplication: Whole<{ params: { applicationId: string }; response: Application }>;
  completeApplication: Whole<{
    params: { applicationId: string };
    body: CompleteApplicationRequest;
    response: Application;
  }>;
  decideState: Whole<{
    params: { applicationId: string; state: string };
    body: DecideStateRequest;
    response: Application;
  }>;
}

/** The compiler names here an operation without its types. */
export type EveryOperationHasTypes = IsNever<Exclude<OperationId, keyof OperationTypes>>;
type IsNever<_Missing extends never> = true;
