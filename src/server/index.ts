/**
 * The partner's backend: a client of the bridge, and a handler that gives `<licensing-apply>` what it needs.
 *
 * ```ts
 * import { createBridgeClient, createLicensingHandler } from 'licensing-apply/server';
 *
 * const bridge = createBridgeClient({
 *   baseUrl: process.env.BRIDGE_URL,
 *   clientId: process.env.BRIDGE_CLIENT_ID,
 *   clientSecret: process.env.BRIDGE_CLIENT_SECRET, // the test secret sees test data, the live secret live data
 * });
 *
 * export const licensing = createLicensingHandler({
 *   bridge,
 *   secret: process.env.LICENSING_SECRET, // openssl rand -base64 32
 *   publicUrl: 'https://agency.example/licensing',
 *   identify: async (request) => {
 *     const user = await yourOwnSignIn(request);
 *     return user && { userId: user.id, profile: { firstName: user.firstName, lastName: user.lastName } };
 *   },
 *   session: () => ({
 *     applicationType: 'new',
 *     licenseType: 'life_health',
 *     states: ['TX', 'CA'],
 *     returnUrl: 'https://agency.example/licensing/done',
 *   }),
 *   on: {
 *     submitted: ({ userId, applicationId }) => yourDatabase.markSubmitted(userId, applicationId),
 *     status: ({ userId, state, status }) => yourDatabase.setStatus(userId, state, status),
 *   },
 * });
 * ```
 *
 * `licensing` takes a `Request` and resolves with a `Response`. Mount it under `/licensing`: as it is in Hono, Next, Bun, Deno
 * and Workers; through `toNodeListener` of `licensing-apply/server/node` in Express, Fastify and `node:http`, before anything
 * that parses bodies.
 *
 * The client has all other operations of the service, too, and works without the handler:
 *
 * ```ts
 * const { id } = await bridge.bulk.start({ npn: npns, onboardType: 'subscribe' });
 * await bridge.bulk.waitUntilCompleted(id, { signal });
 * for await (const producer of bridge.bulk.listAllDetails(id)) yourDatabase.saveProducer(producer);
 * ```
 *
 * Several instances share a store of `licensing-apply/server/redis` or `licensing-apply/server/postgres`. Now and then, from a
 * timer or a cron job, `licensing.reconcile()` finds what no webhook said.
 *
 * Webhooks carry no signature, so none is believed. Each session has an address of its own that only this backend can have
 * made; what arrives there is taken as a hint, and the application is read again from the bridge before anybody is told. SSNs
 * and answers never come here: not in a session, not in a webhook, not in an error.
 */
export type {
  Fact,
  FactIdentity,
  FactSubject,
  ProgressFact,
  RequiresActionFact,
  StatusFact,
  SubmittedFact,
} from './applications/facts.js';
export type { KnownApplication } from './applications/known-application.js';
export type { ReconcileOptions, ReconcileSummary } from './applications/reconcile.js';
export type { FactListeners } from './applications/teller.js';
export type { BridgeClientErrorCode, BridgeFailure } from './client/bridge-client-error.js';
export { BridgeClientError, isBridgeClientError } from './client/bridge-client-error.js';
export type {
  BridgeAccount,
  BridgeApplications,
  BridgeAuth,
  BridgeBulk,
  BridgeClient,
  BridgeProducers,
  BridgeProfiles,
  BridgeRequest,
  BridgeSessions,
  BridgeSubscriptions,
  BridgeTerritories,
  BridgeTestHelpers,
  BulkWaitOptions,
  CreateSessionOptions,
} from './client/bridge-client.js';
export { createBridgeClient } from './client/create-bridge-client.js';
export type { BridgeClientOptions, CallOptions } from './client/options.js';
export type { Clock } from './clock.js';
export { createLicensingHandler } from './handler/create-licensing-handler.js';
export type {
  CorsOptions,
  LicensingHandler,
  LicensingHandlerOptions,
  LicensingListeners,
  LicensingUser,
  RequestContext,
  SessionOptions,
  StreamLimits,
} from './handler/options.js';
export type { RefusalBody, RefusalCode } from './handler/refusals.js';
export type { Log, LogEntry } from './log.js';
export type { MemoryStoreOptions } from './store/memory-store.js';
export { memoryStore } from './store/memory-store.js';
export type { Acceptance, AcknowledgedDelivery, LeftWorkQuery, LicensingStore, StoredState } from './store/store.js';
export type { ApplicationLink } from './applications/application-link.js';
export type { AllowAddressesOptions } from './webhooks/allow-addresses.js';
export { allowAddresses } from './webhooks/allow-addresses.js';
export { confirmWithBridge } from './webhooks/confirm-with-bridge.js';
export type { Delivery, DeliveryClaims } from './webhooks/delivery.js';
export type {
  WebhookCheck,
  WebhookCheckResult,
  WebhookContext,
  WebhookVerdict,
  WebhookVerdictCheck,
} from './webhooks/webhook-check.js';
export { testCards, testSsns } from '../contract/index.js';
export type {
  Account,
  AccountUpdateRequest,
  ActiveLicenses,
  ActiveLicensesQuery,
  AgencyCredential,
  Application,
  ApplicationState,
  ApplicationStatus,
  ApplicationStep,
  BulkDetails,
  BulkDetailsQuery,
  BulkOnboardRequest,
  BulkOnboardType,
  BulkStart,
  BulkStatus,
  CreateAccountCredentialQuery,
  CreateSessionRequest,
  CredentialReset,
  DecideStateRequest,
  LicensingProfile,
  LoginResponse,
  NpnLookUp,
  NpnLookUpRequest,
  OnboardType,
  OpenUnion,
  OperationId,
  PartnerSession,
  PartnerSessionRequest,
  PaymentMethod,
  ProducerDetail,
  ProducerOnboardRequest,
  Progress,
  ProgressStep,
  ReceivedAccount,
  ReceivedActiveLicense,
  ReceivedActiveLicenses,
  ReceivedApplication,
  ReceivedApplicationState,
  ReceivedAppointment,
  ReceivedBulkDetails,
  ReceivedBulkFailure,
  ReceivedBulkStatus,
  ReceivedLicense,
  ReceivedLicenseDetail,
  ReceivedLicenseInfo,
  ReceivedProducer,
  ReceivedProfile,
  ReceivedProgress,
  ReceivedSession,
  ReceivedSubscriptionUpdate,
  ReceivedTerritory,
  ReceivedTerritoryLicense,
  ReceivedTerritoryList,
  ReceivedTerritoryLoa,
  ReceivedTerritoryPage,
  ReceivedTerritoryState,
  ResidentialAddress,
  Session,
  StateCode,
  Subscription,
  SubscriptionRequest,
  SubscriptionUpdate,
  SubscriptionUpdateRequest,
  TerritoriesQuery,
  Territory,
  TerritoryAssignment,
  TerritoryAssignRequest,
  TerritoryList,
  TerritoryUnassignment,
  UserLicensingProfile,
  WebhookEvent,
  WebhookEventType,
  WebhookPreference,
} from '../contract/index.js';
