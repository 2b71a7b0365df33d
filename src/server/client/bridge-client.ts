import type {
  AccountUpdateRequest,
  ActiveLicensesQuery,
  AgencyCredential,
  BulkDetailsQuery,
  BulkOnboardRequest,
  BulkStart,
  CreateAccountCredentialQuery,
  CreateSessionRequest,
  CredentialReset,
  DecideStateRequest,
  LicensingProfile,
  LoginResponse,
  NpnLookUp,
  NpnLookUpRequest,
  ProducerOnboardRequest,
  ReceivedAccount,
  ReceivedActiveLicenses,
  ReceivedApplication,
  ReceivedBulkDetails,
  ReceivedBulkStatus,
  ReceivedProducer,
  ReceivedProfile,
  ReceivedSession,
  ReceivedSubscriptionUpdate,
  ReceivedTerritory,
  ReceivedTerritoryList,
  Subscription,
  SubscriptionRequest,
  SubscriptionUpdateRequest,
  TerritoriesQuery,
  TerritoryAssignment,
  TerritoryAssignRequest,
  TerritoryUnassignment,
} from '../../contract/index.js';
import type { CallOptions } from './options.js';

/**
 * The operations of the bridge in groups, and a method for requests that have none. Each method
 * resolves with the answer and rejects with a `BridgeClientError`. A mistake in the arguments is a
 * `TypeError`, before anything is sent.
 */
export interface BridgeClient {
  /** The login. */
  auth: BridgeAuth;
  /** The agency's account and credentials. */
  account: BridgeAccount;
  /** Single producers. */
  producers: BridgeProducers;
  /** Many producers in one job. */
  bulk: BridgeBulk;
  /** The producers whose updates the agency follows. */
  subscriptions: BridgeSubscriptions;
  /** Territories and the producers assigned to them. */
  territories: BridgeTerritories;
  /** What you know of a user before an application. */
  profiles: BridgeProfiles;
  /** Sessions of the hosted application. */
  sessions: BridgeSessions;
  /** Progress and statuses of applications. */
  applications: BridgeApplications;
  /** Test credentials only. */
  testHelpers: BridgeTestHelpers;
  /**
   * Sends a request that no method covers, with token, deadline and errors as everywhere. Resolves
   * with the parsed JSON, or `undefined` for an empty answer. A GET is repeated after any outage,
   * other methods only where surely nothing was done.
   */
  request(request: BridgeRequest, options?: CallOptions): Promise<unknown>;
}

/** A request of {@link BridgeClient.request}. */
export interface BridgeRequest {
  /** The HTTP method. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `baseUrl`, such as `/v1/account`, each part encoded. */
  path: string;
  /** The query. A list becomes a repeated parameter; `undefined` is left out. */
  query?: object;
  /** The JSON body. An SSN is refused. */
  body?: object;
  /** Further headers, such as `Idempotency-Key`. */
  headers?: Record<string, string>;
}

/** Operation 1. */
export interface BridgeAuth {
  /**
   * Logs in now (operation 1). The other methods log in by themselves; at start-up, this one finds
   * a wrong secret.
   */
  login(options?: CallOptions): Promise<LoginResponse>;
}

/** Operations 2 to 4. */
export interface BridgeAccount {
  /**
   * Changes the settings of the account (operation 2). A field that is absent keeps its value;
   * `null` or "" clears it.
   */
  update(settings: AccountUpdateRequest, options?: CallOptions): Promise<ReceivedAccount>;
  /**
   * Issues the credential of an agency (operation 3). Works once without credentials. Afterwards it
   * takes live credentials, which it ends: create a new client with the new ones. The secrets
   * cannot be read again.
   */
  createCredential(query: CreateAccountCredentialQuery, options?: CallOptions): Promise<AgencyCredential>;
  /**
   * Replaces both secrets and ends every token issued before (operation 4). Takes live credentials;
   * this client continues with the new live secret. Store both secrets at once: they cannot be read
   * again. Calls under way may fail with `credentials_refused`. Not repeated once anything was
   * sent.
   */
  resetCredential(options?: CallOptions): Promise<CredentialReset>;
}

/** Operations 5 and 9 to 11. */
export interface BridgeProducers {
  /**
   * Looks up, subscribes or onboards one producer (operation 5). `lookup` changes nothing. `team`
   * takes personal data and the SSN, and is not repeated where the producer may have been onboarded
   * already.
   */
  onboard(request: ProducerOnboardRequest, options?: CallOptions): Promise<ReceivedProducer>;
  /**
   * Finds an NPN by last name and SSN (operation 10). Rejects with `refused` when no producer
   * matches both.
   */
  lookUpNpn(request: NpnLookUpRequest, options?: CallOptions): Promise<NpnLookUp>;
  /**
   * Lists the active licenses of the onboarded producers, a record for each of these states
   * (operation 9).
   */
  listActiveLicenses(query: ActiveLicensesQuery, options?: CallOptions): Promise<ReceivedActiveLicenses[]>;
  /**
   * Reads the latest update of a subscribed producer on or before a day (operation 11). `refused`
   * when there is none.
   */
  getSubscriptionUpdate(request: SubscriptionUpdateRequest, options?: CallOptions): Promise<ReceivedSubscriptionUpdate>;
}

/** Operations 6 to 8. */
export interface BridgeBulk {
  /**
   * Starts onboarding up to 10,000 producers (operation 7). Not repeated where the job may have
   * been started already.
   */
  start(request: BulkOnboardRequest, options?: CallOptions): Promise<BulkStart>;
  /** Reads how far a bulk onboarding is (operation 8). */
  getStatus(id: string, options?: CallOptions): Promise<ReceivedBulkStatus>;
  /** Reads one page of the producers of a bulk onboarding (operation 6). Default: page 1. */
  listDetails(id: string, query?: BulkDetailsQuery, options?: CallOptions): Promise<ReceivedBulkDetails>;
  /**
   * Iterates over all producers of a bulk onboarding (operation 6). A page is read when the loop
   * gets there; the options hold for each page. Of a job that is running, the producers that are
   * done so far.
   */
  listAllDetails(id: string, options?: CallOptions): AsyncGenerator<ReceivedProducer, void, undefined>;
  /**
   * Resolves with the final status of a bulk onboarding (operation 8), started in this process or
   * another. Reads the status less and less often, at least every 10 s, and outlasts an outage of
   * the bridge of up to five minutes.
   */
  waitUntilCompleted(id: string, options?: BulkWaitOptions): Promise<ReceivedBulkStatus>;
}

/** Options of {@link BridgeBulk.waitUntilCompleted}. */
export interface BulkWaitOptions {
  /** Ends the waiting, which rejects with the code `aborted`. The bulk onboarding continues. */
  signal?: AbortSignal;
  /**
   * How long to wait in all, in milliseconds; then it rejects with the code `timeout`. Default: no
   * limit.
   */
  timeoutMs?: number;
}

/** Operations 12 and 13. */
export interface BridgeSubscriptions {
  /**
   * Subscribes up to 10,000 producers (operation 12). One that is subscribed already keeps its
   * `addedAt`.
   */
  add(request: SubscriptionRequest, options?: CallOptions): Promise<Subscription>;
  /**
   * Ends subscriptions (operation 13). The answer has only the producers that were subscribed until
   * then.
   */
  remove(request: SubscriptionRequest, options?: CallOptions): Promise<Subscription>;
}

/** Operations 14 to 16. */
export interface BridgeTerritories {
  /**
   * Reads one page of the agency's territories and their producers (operation 16). Default: page 1
   * of 20.
   */
  list(query?: TerritoriesQuery, options?: CallOptions): Promise<ReceivedTerritoryList>;
  /**
   * Iterates over all territories of the agency (operation 16). A page of `pageSize`, 1–100, is
   * read when the loop gets there; the options hold for each page.
   */
  listAll(
    query?: Pick<TerritoriesQuery, 'pageSize'>,
    options?: CallOptions,
  ): AsyncGenerator<ReceivedTerritory, void, undefined>;
  /**
   * Assigns a territory to a producer beside those that are assigned (operation 14). The second
   * time changes nothing.
   */
  assign(npn: string | number, request: TerritoryAssignRequest, options?: CallOptions): Promise<TerritoryAssignment>;
  /**
   * Takes a territory from a producer (operation 15). Rejects with `refused` when it is not
   * assigned.
   */
  unassign(npn: string | number, territoryId: string, options?: CallOptions): Promise<TerritoryUnassignment>;
}

/** Operation 17. */
export interface BridgeProfiles {
  /**
   * Merges what you know of a user, so that it need not be typed again (operation 17). `null`
   * removes a field.
   */
  sync(userId: string, profile: LicensingProfile, options?: CallOptions): Promise<ReceivedProfile>;
}

/** Operation 18. */
export interface BridgeSessions {
  /**
   * Creates an application and the URL at which the user completes it (operation 18). Repeated
   * after a broken connection or a 5xx only with the client's option `honorsIdempotencyKey`.
   */
  create(session: CreateSessionRequest, options?: CreateSessionOptions): Promise<ReceivedSession>;
}

/** Options of {@link BridgeSessions.create}. */
export interface CreateSessionOptions extends CallOptions {
  /**
   * The `Idempotency-Key`. A server that honours it answers the same key and body with the same
   * session for 24 hours. 1–255 visible ASCII characters. Default: a random one for each call.
   */
  idempotencyKey?: string;
}

/** Operation 19. */
export interface BridgeApplications {
  /** Reads the progress of an application and its status per state (operation 19). */
  get(applicationId: string, options?: CallOptions): Promise<ReceivedApplication>;
}

/** An addition of our bridge to the service. */
export interface BridgeTestHelpers {
  /** Lets a simulated department decide. Test credentials only. */
  decideState(
    applicationId: string,
    state: string,
    decision: DecideStateRequest,
    options?: CallOptions,
  ): Promise<ReceivedApplication>;
}
