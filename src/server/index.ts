/**
 * The partner's backend: a client of the bridge, and a handler that gives `<licensing-apply>` what
 * it needs.
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
 *     returnUrl: 'https://agency.example/done',
 *   }),
 *   on: {
 *     submitted: ({ userId, applicationId }) => yourDatabase.markSubmitted(userId, applicationId),
 *     status: ({ userId, state, status }) => yourDatabase.setStatus(userId, state, status),
 *   },
 * });
 * ```
 *
 * `licensing` takes a `Request` and resolves with a `Response`. Mount it under `/licensing`: as it
 * is in Hono, Next, Bun, Deno and Workers; through `toNodeListener` of
 * `licensing-apply/server/node` in Express, Fastify and `node:http`, before anything that parses
 * bodies. Several instances share a store of `licensing-apply/server/redis` or
 * `licensing-apply/server/postgres`.
 *
 * The service does not sign its webhooks, so a webhook is only a hint. Each session has a webhook
 * URL that cannot be forged. A webhook to it makes the handler read the application from the bridge
 * and call the listeners with what changed; only then is the webhook acknowledged. Every failure is
 * answered with 503, and the bridge repeats the webhook. A listener has the 10 seconds that senders
 * wait: put slow work into a queue of your own.
 *
 * The client has all operations of the service, also without the handler:
 *
 * ```ts
 * const { id } = await bridge.bulk.start({ npn: npns, onboardType: 'subscribe' });
 * await bridge.bulk.waitUntilCompleted(id, { signal });
 * for await (const producer of bridge.bulk.listAllDetails(id)) yourDatabase.saveProducer(producer);
 * ```
 *
 * SSNs and background answers never come here: not in a session, not in a webhook, not in an error.
 */
export type {
  ApplicationActionEvent,
  ApplicationEvent,
  ApplicationListeners,
  ApplicationProgressEvent,
  ApplicationStatusEvent,
  ApplicationSubmittedEvent,
  LicensingListeners,
  ProducerUpdatedEvent,
} from './applications/events.js';
export type { ReconcileSummary } from './applications/reconcile.js';
export type { BridgeClientErrorCode } from './client/bridge-client-error.js';
export { BridgeClientError, isBridgeClientError } from './client/bridge-client-error.js';
export { createBridgeClient, type BridgeClient } from './client/bridge-client.js';
export type { BridgeClientOptions, CallOptions } from './client/options.js';
export type { Clock } from './scheduling.js';
export { createLicensingHandler } from './handler/create-licensing-handler.js';
export type { LicensingHandler, LicensingHandlerOptions } from './handler/options.js';
export type { HttpError, HttpErrorBody } from './http/reply.js';
export { consoleLog, type Log, type LogEntry } from './log.js';
export { memoryStore } from './store/licensing-store.js';
export type { ApplicationRecord, KnownApplication, LicensingStore } from './store/licensing-store.js';
export { StoreUnavailableError } from './store/store-unavailable-error.js';
export { allowAddresses } from './webhooks/allow-addresses.js';
export {
  createWebhookUrl,
  verifyWebhook,
  type ReceivedWebhook,
  type WebhookVerifier,
} from './webhooks/verify-webhook.js';
export { testBankAccounts, testCards, testSsns } from '../contract/index.js';
export type {
  AgencyCredential,
  ApplicationStatus,
  BulkStart,
  CreateSessionRequest,
  CredentialReset,
  LicensingProfile,
  LicensingUser,
  LoginResponse,
  NpnLookUp,
  OperationId,
  PartnerSession,
  PartnerSessionRequest,
  ProducerOnboardRequest,
  ReceivedAccount,
  ReceivedActiveLicenses,
  ReceivedApplication,
  ReceivedApplicationState,
  ReceivedBulkDetails,
  ReceivedBulkStatus,
  ReceivedProducerDetail,
  ReceivedProgress,
  ReceivedSession,
  ReceivedSubscriptionUpdate,
  ReceivedTerritory,
  ReceivedTerritoryList,
  ReceivedUserLicensingProfile,
  ReceivedWebhookEvent,
  SessionOptions,
  StateCode,
  Subscription,
  TerritoryAssignment,
  TerritoryUnassignment,
} from '../contract/index.js';
