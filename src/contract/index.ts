/**
 * The HTTP contract between the bridge and its callers: interfaces and tables. Routes, client
 * methods, documents and tests are made from these tables. The interfaces are generated from the
 * schemas in `schemas`.
 */
export { applicationStatuses, applicationSteps, statusTransitions, waitingReasons } from './application.js';
export type { ApplicationStatus, ApplicationStep, ProgressStep, WaitingReason } from './application.js';
export { capabilityPaths } from './capability-paths.js';
export { webhookEvents } from './events.js';
export type {
  ApplicationEventType,
  ReceivedWebhookEvent,
  WebhookEvent,
  WebhookEventExtras,
  WebhookEventType,
} from './events.js';
export { failures, failureStatus } from './failures.js';
export type { FailureName } from './failures.js';
export type * from './generated.js';
export type * from './generated-received.js';
export { parseForwardedAddress, parseIpAddress } from './ip-address.js';
export { textLimits } from './limits.js';
export { statusNames, stepNames, waitingNames } from './names.js';
export type { Language } from './names.js';
export type { OperationTypes } from './operation-types.js';
export { operations } from './operations.js';
export type { Operation, OperationId, Repeat } from './operations.js';
export type { ProducerSection } from './producer-sections.js';
export { producerSections } from './producer-sections.js';
export { isPartnerUrl, partnerUrlPattern } from './partner-urls.js';
export { returnStatuses } from './partner.js';
export type {
  LicensingUser,
  PartnerApplication,
  PartnerSession,
  PartnerSessionRequest,
  ReturnStatus,
  SessionOptions,
} from './partner.js';
export { spanishStateNames } from './spanish-state-names.js';
export { stateCodes, stateNames } from './states.js';
export type { StateCode } from './states.js';
export { testBankAccounts, testCards, testSsns } from './test-mode.js';
export {
  appointmentStatuses,
  bulkDetailsPageSize,
  bulkOnboardTypes,
  loaStatuses,
  maxNpnsPerRequest,
  modes,
  onboardTypes,
  paymentMethods,
  paymentResponsibilities,
  residencyStatuses,
  webhookPreferences,
} from './values.js';
export type {
  AppointmentStatus,
  BulkOnboardType,
  LoaStatus,
  Mode,
  OnboardType,
  OpenUnion,
  PaymentMethod,
  PaymentResponsibility,
  ResidencyStatus,
  WebhookPreference,
} from './values.js';
