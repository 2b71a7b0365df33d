/**
 * The HTTP contract between the bridge and its callers: documented interfaces and tables, without
 * logic. Routes, client methods, documents and tests are made from these tables.
 */
export type { Account, AccountUpdateRequest, CredentialReset, WebhookPreference } from './account.js';
export { webhookPreferences } from './account.js';
export type {
  Application,
  ApplicationState,
  ApplicationStatus,
  ApplicationStep,
  DecideStateRequest,
  Progress,
  ProgressStep,
} from './application.js';
export { applicationStatuses, applicationSteps, statusTransitions } from './application.js';
export type { BulkDetails, BulkDetailsQuery, BulkFailure, BulkOnboardRequest, BulkStart, BulkStatus } from './bulk.js';
export { bulkDetailsPageSize, maxNpnsPerRequest } from './bulk.js';
export type { AgencyCredential, CreateAccountCredentialQuery } from './credential.js';
export type {
  ReceivedActionEvent,
  ReceivedEvent,
  ReceivedEventData,
  ReceivedProgressEvent,
  ReceivedSimpleEvent,
  ReceivedStatusChange,
  ReceivedStatusEvent,
  ReceivedUnknownEvent,
  ReceivedWebhookEvent,
  WebhookEvent,
  WebhookEventData,
  WebhookEventExtras,
  WebhookEventType,
} from './events.js';
export { webhookEvents } from './events.js';
export type { ErrorBody, FailureName } from './failures.js';
export { failures, failureStatus } from './failures.js';
export type { LoginRequest, LoginResponse, Mode } from './login.js';
export type { Language } from './names.js';
export { statusNames, stepNames } from './names.js';
export type {
  BulkOnboardType,
  NpnLookUp,
  NpnLookUpRequest,
  OnboardType,
  PaymentResponsibility,
  PlainOnboardRequest,
  ProducerOnboardRequest,
  TeamOnboardRequest,
} from './onboarding.js';
export { bulkOnboardTypes, onboardTypes, paymentResponsibilities } from './onboarding.js';
export type { OperationTypes, ReceivedTypes } from './operation-types.js';
export type { Operation, OperationId, Repeat } from './operations.js';
export { operations } from './operations.js';
export type { LicensingUser, PartnerSession, PartnerSessionRequest, ReturnStatus, SessionOptions } from './partner.js';
export { returnStatuses } from './partner.js';
export type {
  ActiveLicense,
  ActiveLicenses,
  ActiveLicensesQuery,
  Address,
  AddressStateGroup,
  Appointment,
  AppointmentStatus,
  Biographic,
  Contact,
  ContactStateGroup,
  License,
  LicenseDetail,
  LicenseInfo,
  LoaStatus,
  ProducerDetail,
  ProducerSection,
  RegulatoryAction,
  ResidencyStatus,
  StateAlias,
  StateRegulatoryAction,
} from './producer.js';
export { appointmentStatuses, loaStatuses, producerSections } from './producer.js';
export type { LicensingProfile, ResidentialAddress, UserLicensingProfile } from './profile.js';
export type {
  OpenUnion,
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
} from './received.js';
export type { CreateSessionRequest, PaymentMethod, Session } from './session.js';
export { spanishStateNames } from './spanish-state-names.js';
export type { StateCode } from './states.js';
export { stateCodes, stateNames } from './states.js';
export type {
  Subscription,
  SubscriptionRequest,
  SubscriptionTarget,
  SubscriptionUpdate,
  SubscriptionUpdateRequest,
} from './subscription.js';
export type {
  AssignedProducer,
  TerritoriesQuery,
  Territory,
  TerritoryAssignment,
  TerritoryAssignRequest,
  TerritoryLicense,
  TerritoryList,
  TerritoryLoa,
  TerritoryState,
  TerritoryUnassignment,
} from './territory.js';
export { testBankAccounts, testCards, testSsns } from './test-mode.js';
