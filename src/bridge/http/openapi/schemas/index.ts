import type { z } from 'zod';
import type { OperationId, OperationTypes } from '../../../../contract/index.js';
import { application, session, userLicensingProfile } from './application.js';
import { account, agencyCredential, credentialReset, loginResponse } from './account.js';
import { bulkDetails, bulkStart, bulkStatus } from './bulk.js';
import { activeLicenses } from './license.js';
import { npnLookUp, producerDetail } from './producer.js';
import { subscription, subscriptionUpdate } from './subscription.js';
import { territoryAssignment, territoryList, territoryUnassignment } from './territory.js';

/** The schema of each operation's answer. For documents and tests: the bridge does not check what it sends. */
export const responseSchemas = {
  login: loginResponse,
  updateAccount: account,
  createAccountCredential: agencyCredential,
  resetCredential: credentialReset,
  onboardProducer: producerDetail,
  getBulkDetails: bulkDetails,
  startBulkOnboarding: bulkStart,
  getBulkStatus: bulkStatus,
  listActiveLicenses: activeLicenses.array(),
  lookUpNpn: npnLookUp,
  getSubscriptionUpdate: subscriptionUpdate,
  subscribe: subscription,
  unsubscribe: subscription,
  assignTerritory: territoryAssignment,
  unassignTerritory: territoryUnassignment,
  listTerritories: territoryList,
  syncProfile: userLicensingProfile,
  createSession: session,
  getApplication: application,
  decideState: application,
} satisfies { [Id in OperationId]: z.ZodType<OperationTypes[Id]['response']> };
