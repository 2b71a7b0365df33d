import type {
  Account,
  ActiveLicenses,
  AgencyCredential,
  Application,
  BulkDetails,
  BulkFailure,
  BulkStart,
  BulkStatus,
  CredentialReset,
  LoginResponse,
  NpnLookUp,
  OperationId,
  ProducerDetail,
  Session,
  Subscription,
  SubscriptionUpdate,
  Territory,
  TerritoryAssignment,
  TerritoryList,
  TerritoryUnassignment,
  UserLicensingProfile,
} from '../../contract/index.js';

/**
 * What a caller must expect of an answer that the contract types as `T`: a set of values may have grown since this
 * package was made, so an unknown one survives as a string.
 */
export type Received<T> = T extends string
  ? string extends T
    ? T
    : T | (string & Record<never, never>)
  : T extends readonly (infer Item)[]
    ? Received<Item>[]
    : T extends object
      ? { [Key in keyof T]: Received<T[Key]> }
      : T;

/** `T` with only some of its fields certain. For answers whose full shape the service does not publish. */
type Certainly<T, Known extends keyof T> = Pick<T, Known> & Partial<Omit<T, Known>>;

/**
 * A producer, as `onboardProducer` and the details of a bulk onboarding tell it. What a host leaves out is "", 0, `false` or
 * an empty list, as the contract has it for a value that there is none of.
 */
export type ReceivedProducer = Received<ProducerDetail>;

/** What `getBulkStatus` resolves with. Of a failure, only which NPN it is about is certain of every host. */
export type ReceivedBulkStatus = Received<
  Omit<BulkStatus, 'failureReason'> & { failureReason: Certainly<BulkFailure, 'npn'>[] }
>;

/** What `getSubscriptionUpdate` resolves with: nothing of it is certain of every host. */
export type ReceivedSubscriptionUpdate = Received<Partial<SubscriptionUpdate>>;

/** A territory, as `listTerritories` tells it. */
export type ReceivedTerritory = Received<Territory>;

/** What `getApplication` resolves with. Only the id and the states are certain of every host. */
export type ReceivedApplication = Received<Certainly<Application, 'applicationId' | 'states'>>;

/** What `createSession` resolves with. Not every host says when the address stops working. */
export type ReceivedSession = Received<Omit<Session, 'expiresAt'> & Partial<Pick<Session, 'expiresAt'>>>;

/** What `syncProfile` resolves with: whatever the host tells of the merged profile, which may be nothing. */
export type ReceivedProfile = Received<Partial<UserLicensingProfile>>;

/** What each operation resolves with. */
export interface ReceivedTypes extends Record<OperationId, object> {
  login: LoginResponse;
  updateAccount: Received<Account>;
  createAccountCredential: AgencyCredential;
  resetCredential: CredentialReset;
  onboardProducer: ReceivedProducer;
  getBulkDetails: Received<BulkDetails>;
  startBulkOnboarding: BulkStart;
  getBulkStatus: ReceivedBulkStatus;
  listActiveLicenses: Received<ActiveLicenses>[];
  lookUpNpn: NpnLookUp;
  getSubscriptionUpdate: ReceivedSubscriptionUpdate;
  subscribe: Subscription;
  unsubscribe: Subscription;
  assignTerritory: TerritoryAssignment;
  unassignTerritory: TerritoryUnassignment;
  listTerritories: Received<TerritoryList>;
  syncProfile: ReceivedProfile;
  createSession: ReceivedSession;
  getApplication: ReceivedApplication;
  decideState: ReceivedApplication;
}
