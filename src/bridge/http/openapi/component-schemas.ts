import type { z } from 'zod';
import {
  bulkOnboardRequestSchema,
  npnLookUpRequestSchema,
  plainOnboardRequestSchema,
  producerOnboardRequestSchema,
  teamOnboardRequestSchema,
} from '../schemas/producer-onboard-request.js';
import { createSessionRequestSchema, slugSchema } from '../schemas/create-session-request.js';
import { decideStateRequestSchema } from '../schemas/decide-state-request.js';
import { licensingProfileSchema, residentialAddressSchema, zipSchema } from '../schemas/licensing-profile.js';
import { loginRequestSchema } from '../schemas/login-request.js';
import { npnDigitsSchema, npnSchema } from '../schemas/npn.js';
import { subscriptionRequestSchema, subscriptionUpdateRequestSchema } from '../schemas/subscription-request.js';
import { territoryAssignRequestSchema } from '../schemas/territory-assign-request.js';
import { partnerUrlSchema, ssnSchema, stateCodeSchema } from '../schemas/text.js';
import { updateAccountRequestSchema } from '../schemas/update-account-request.js';
import * as account from './schemas/account.js';
import * as application from './schemas/application.js';
import * as bulk from './schemas/bulk.js';
import { errorBody } from './schemas/error-body.js';
import { eventSchemas, webhookEventData } from './schemas/event.js';
import * as license from './schemas/license.js';
import * as producer from './schemas/producer.js';
import * as subscription from './schemas/subscription.js';
import * as territory from './schemas/territory.js';
import * as values from './schemas/values.js';

/** The schemas that have a name in the document. Those named like an interface of the contract are described by it. */
export const componentSchemas = {
  ErrorBody: errorBody,

  Timestamp: values.timestamp,
  ProducerDate: values.producerDate,
  Npn: values.npn,
  NpnDigits: npnDigitsSchema,
  NpnInput: npnSchema,
  Ssn: ssnSchema,
  StateCode: stateCodeSchema,
  Zip: zipSchema,
  Slug: slugSchema,
  PartnerUrl: partnerUrlSchema,

  LoginRequest: loginRequestSchema,
  LoginResponse: account.loginResponse,
  AccountUpdateRequest: updateAccountRequestSchema,
  Account: account.account,
  AgencyCredential: account.agencyCredential,
  CredentialReset: account.credentialReset,

  ProducerOnboardRequest: producerOnboardRequestSchema,
  PlainOnboardRequest: plainOnboardRequestSchema,
  TeamOnboardRequest: teamOnboardRequestSchema,
  ProducerDetail: producer.producerDetail,
  Biographic: producer.biographic,
  StateAlias: producer.stateAlias,
  AddressStateGroup: producer.addressStateGroup,
  Address: producer.address,
  ContactStateGroup: producer.contactStateGroup,
  Contact: producer.contact,
  StateRegulatoryAction: producer.stateRegulatoryAction,
  RegulatoryAction: producer.regulatoryAction,
  LicenseInfo: license.licenseInfo,
  License: license.license,
  LicenseDetail: license.licenseDetail,
  ResidencyStatus: license.residencyStatus,
  Appointment: license.appointment,
  ActiveLicenses: license.activeLicenses,
  ActiveLicense: license.activeLicense,
  NpnLookUpRequest: npnLookUpRequestSchema,
  NpnLookUp: producer.npnLookUp,

  BulkOnboardRequest: bulkOnboardRequestSchema,
  BulkStart: bulk.bulkStart,
  BulkStatus: bulk.bulkStatus,
  BulkFailure: bulk.bulkFailure,
  BulkDetails: bulk.bulkDetails,

  SubscriptionRequest: subscriptionRequestSchema,
  Subscription: subscription.subscription,
  SubscriptionTarget: subscription.subscriptionTarget,
  SubscriptionUpdateRequest: subscriptionUpdateRequestSchema,
  SubscriptionUpdate: subscription.subscriptionUpdate,

  TerritoryAssignRequest: territoryAssignRequestSchema,
  TerritoryAssignment: territory.territoryAssignment,
  TerritoryUnassignment: territory.territoryUnassignment,
  TerritoryList: territory.territoryList,
  Territory: territory.territory,
  TerritoryState: territory.territoryState,
  TerritoryLicense: territory.territoryLicense,
  TerritoryLoa: territory.territoryLoa,
  AssignedProducer: territory.assignedProducer,

  LicensingProfile: licensingProfileSchema,
  ResidentialAddress: residentialAddressSchema,
  UserLicensingProfile: application.userLicensingProfile,
  StoredAddress: application.storedAddress,
  CreateSessionRequest: createSessionRequestSchema,
  Session: application.session,
  Application: application.application,
  ApplicationState: application.applicationState,
  ApplicationStatus: application.applicationStatus,
  Progress: application.progress,
  DecideStateRequest: decideStateRequestSchema,

  WebhookEventData: webhookEventData,
  SessionStartedEvent: eventSchemas['application.session_started'],
  ProgressUpdatedEvent: eventSchemas['application.progress_updated'],
  SubmittedEvent: eventSchemas['application.submitted'],
  StatusChangedEvent: eventSchemas['application.status_changed'],
  RequiresActionEvent: eventSchemas['application.requires_action'],
} satisfies Record<string, z.ZodType>;
