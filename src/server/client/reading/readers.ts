import type { OperationId } from '../../../contract/index.js';
import type { ReceivedTypes } from '../received.js';
import { application } from './application-reader.js';
import { producer } from './producer-reader.js';
import { bulkDetails, bulkStatus, territoryList } from './report-readers.js';
import { anyFlag, anyList, anyText, flag, list, maybe, number, object, text, texts, type Reader } from './values.js';
import { Unreadable } from './values.js';

/** A text that a pattern describes. */
function matching(pattern: RegExp): Reader<string> {
  return function readMatching(value) {
    if (typeof value === 'string' && pattern.test(value)) return value;
    throw new Unreadable();
  };
}

const subscription = object({ agencyId: anyText, npns: list(object({ npn: text, addedAt: anyText })) });

const address = object({ street: text, city: text, state: text, zip: text });

/** How the answer of each operation is read: what must be there, and nothing more. */
export const readers: { readonly [Id in OperationId]: Reader<ReceivedTypes[Id]> } = {
  // A token that could not stand in a header would make `fetch` throw an error that quotes it.
  login: object({ accessToken: matching(/^[\x21-\x7e]+$/) }),
  updateAccount: object({ userId: text, ...texts('businessEmail', 'preference', 'webhookUrl') }),
  createAccountCredential: object({
    clientId: text,
    liveClientSecret: text,
    testClientSecret: text,
    isActive: flag,
    ...texts('agencyId', 'agencyName', 'createdAt', 'deactivatedAt', 'id', 'updatedAt'),
  }),
  resetCredential: object({ liveClientSecret: text, testClientSecret: text, userId: anyText }),
  onboardProducer: producer,
  getBulkDetails: bulkDetails,
  startBulkOnboarding: object({ id: text, message: anyText }),
  getBulkStatus: bulkStatus,
  listActiveLicenses: list(
    object({ state: text, licenseInfo: anyList(object(texts('licenseNumber', 'npn', 'residencyStatus'))) }),
  ),
  lookUpNpn: object({ message: anyText, data: object({ npn: text }) }),
  getSubscriptionUpdate: object({
    npn: maybe(text),
    reportDate: maybe(text),
    updatedAt: maybe(text),
    changes: maybe(list(text)),
    producer: maybe(producer),
  }),
  subscribe: subscription,
  unsubscribe: subscription,
  assignTerritory: object({
    message: anyText,
    data: object(texts('assignedAt', 'npn', 'territoryId', 'territoryName')),
  }),
  unassignTerritory: object({ message: anyText, data: object(texts('npn', 'territoryId', 'unassignedAt')) }),
  listTerritories: territoryList,
  syncProfile: object({
    userId: maybe(text),
    npn: maybe(text),
    firstName: maybe(text),
    lastName: maybe(text),
    email: maybe(text),
    phone: maybe(text),
    dateOfBirth: maybe(text),
    residentialAddress: maybe(address),
    updatedAt: maybe(text),
  }),
  createSession: object({
    sessionId: text,
    applicationId: text,
    applicationUrl: matching(/^https?:\/\/./),
    expiresAt: maybe(text),
    estimatedFees: object({ total: number }),
    prefilled: object({ npn: anyFlag, ssn: anyFlag, backgroundQuestions: anyFlag }),
  }),
  getApplication: application,
  decideState: application,
};
