import { operationCalls, type OperationCall, type OperationId } from './operation-calls.js';

/**
 * The table of operations. Routes, client methods, documents and tests are made from it: to add an operation, add a row
 * to {@link operationCalls} and here, and its types in {@link OperationTypes}; the compiler then names every place that lacks it.
 */
export interface Operation extends OperationCall {
  /** The number in the spec's endpoint table; 0 for our own additions. */
  number: number;
  /** The statuses that a caller may meet besides 405, 413, 415 and 429, which every operation can answer. */
  statuses: readonly number[];
}

/** The 19 operations of the spec, and our test helper. */
export const operations = {
  login: { ...operationCalls.login, number: 1, statuses: [200, 400, 401, 500] },
  updateAccount: { ...operationCalls.updateAccount, number: 2, statuses: [200, 400, 401, 403, 500] },
  createAccountCredential: { ...operationCalls.createAccountCredential, number: 3, statuses: [200, 400, 401, 500] },
  resetCredential: { ...operationCalls.resetCredential, number: 4, statuses: [200, 400, 401, 500] },
  onboardProducer: { ...operationCalls.onboardProducer, number: 5, statuses: [200, 400, 401, 403, 500] },
  getBulkDetails: { ...operationCalls.getBulkDetails, number: 6, statuses: [200, 400, 401, 404, 500] },
  startBulkOnboarding: { ...operationCalls.startBulkOnboarding, number: 7, statuses: [200, 400, 401, 500] },
  getBulkStatus: { ...operationCalls.getBulkStatus, number: 8, statuses: [200, 400, 401, 404, 500] },
  listActiveLicenses: { ...operationCalls.listActiveLicenses, number: 9, statuses: [200, 400, 401, 500] },
  lookUpNpn: { ...operationCalls.lookUpNpn, number: 10, statuses: [200, 400, 401, 500] },
  getSubscriptionUpdate: { ...operationCalls.getSubscriptionUpdate, number: 11, statuses: [200, 400, 401, 500] },
  subscribe: { ...operationCalls.subscribe, number: 12, statuses: [200, 400, 401, 500] },
  unsubscribe: { ...operationCalls.unsubscribe, number: 13, statuses: [200, 400, 401, 500] },
  assignTerritory: { ...operationCalls.assignTerritory, number: 14, statuses: [200, 400, 401, 500] },
  unassignTerritory: { ...operationCalls.unassignTerritory, number: 15, statuses: [200, 400, 401, 500] },
  listTerritories: { ...operationCalls.listTerritories, number: 16, statuses: [200, 400, 401, 500] },
  syncProfile: { ...operationCalls.syncProfile, number: 17, statuses: [200, 400, 401, 403, 500] },
  createSession: { ...operationCalls.createSession, number: 18, statuses: [200, 400, 401, 403, 500] },
  getApplication: { ...operationCalls.getApplication, number: 19, statuses: [200, 400, 401, 403, 404, 500] },
  decideState: { ...operationCalls.decideState, number: 0, statuses: [200, 400, 401, 403, 404, 500] },
} as const satisfies Record<OperationId, Operation>;
