import type { BridgeClient, CallOptions, OperationId } from '../../../src/server/index.js';
import { applicationBody, clientSecret, sessionBody, sessionRequest } from './client.js';
import { producerBody } from './producer.js';

/** One operation: its call, the expected request, and a response of the bridge. */
export interface OperationCase {
  call(client: BridgeClient, options?: CallOptions): Promise<unknown>;
  method: string;
  path: string;
  /** As JSON; absent: no body at all. */
  body?: unknown;
  answer: unknown;
}

const page = { currentPage: 1, pageSize: 50, totalCount: 1, hasNextPage: false, hasPreviousPage: false };
const bulkId = '00000000-0000-4000-8000-000000000001';
const subscription = { agencyId: 'agc_1', npns: [{ npn: '9000000001', addedAt: '2026-11-20T12:00:00.000Z' }] };
const message = 'Done.';

/** Every operation, in the order of the spec. */
export const operationCases: Record<OperationId, OperationCase> = {
  login: {
    call: (client, options) => client.auth.login(options),
    method: 'POST',
    path: '/v1/auth/login',
    body: { clientId: 'client_1', clientSecret },
    answer: { accessToken: 'token-1' },
  },
  updateAccount: {
    call: (client, options) =>
      client.account.update({ businessEmail: 'office@agency.example', webhookUrl: null }, options),
    method: 'PATCH',
    path: '/v1/account',
    body: { businessEmail: 'office@agency.example', webhookUrl: null },
    answer: { businessEmail: 'office@agency.example', preference: 'PDB-update', userId: 'crd_1', webhookUrl: '' },
  },
  createAccountCredential: {
    call: (client, options) => client.account.createCredential({ agencyId: 'agc_1' }, options),
    method: 'POST',
    path: '/v1/account/account-credential?agencyId=agc_1',
    answer: {
      agencyId: 'agc_1',
      agencyName: 'Example Agency',
      clientId: 'cli_2',
      createdAt: 'now',
      deactivatedAt: '',
      id: 'crd_2',
      isActive: true,
      liveClientSecret: 'live',
      testClientSecret: 'test',
      updatedAt: 'now',
    },
  },
  resetCredential: {
    call: (client, options) => client.account.resetCredential(options),
    method: 'PATCH',
    path: '/v1/account/reset-credential',
    answer: { liveClientSecret: 'live', testClientSecret: 'test', userId: 'crd_1' },
  },
  onboardProducer: {
    call: (client, options) => client.producers.onboard({ npn: 9000000001, onboardType: 'subscribe' }, options),
    method: 'POST',
    path: '/v1/account/producer',
    body: { npn: 9000000001, onboardType: 'subscribe' },
    answer: producerBody,
  },
  getBulkDetails: {
    call: (client, options) => client.bulk.listDetails(bulkId, { page: 3 }, options),
    method: 'GET',
    path: `/v1/account/producer/bulk/details/${bulkId}?page=3`,
    answer: { id: bulkId, message, ...page, currentPage: 3, details: [producerBody] },
  },
  startBulkOnboarding: {
    call: (client, options) => client.bulk.start({ npn: ['9000000001', 9000000002], onboardType: 'lookup' }, options),
    method: 'POST',
    path: '/v1/account/producer/bulk/onboard',
    body: { npn: ['9000000001', 9000000002], onboardType: 'lookup' },
    answer: { id: bulkId, message },
  },
  getBulkStatus: {
    call: (client, options) => client.bulk.getStatus(bulkId, options),
    method: 'GET',
    path: `/v1/account/producer/bulk/status/${bulkId}`,
    answer: {
      id: bulkId,
      message,
      npns: ['9000000001', '9'],
      failedNpns: ['9'],
      totalCount: 2,
      successCount: 1,
      failureCount: 1,
      failureReason: [{ npn: '9', code: 40009, reason: 'No producer has this NPN.' }],
    },
  },
  listActiveLicenses: {
    call: (client, options) => client.producers.listActiveLicenses({ stateCode: ['TX', 'ca'] }, options),
    method: 'GET',
    path: '/v1/account/producer/license/active?stateCode=TX&stateCode=ca',
    answer: [
      { state: 'TX', licenseInfo: [{ licenseNumber: '1', npn: '9000000001', residencyStatus: 'R' }] },
      { state: 'CA', licenseInfo: [] },
    ],
  },
  lookUpNpn: {
    call: (client, options) => client.producers.lookUpNpn({ lastName: 'Sample', ssn: '900-11-0001' }, options),
    method: 'POST',
    path: '/v1/account/producer/npn-lookup',
    body: { lastName: 'Sample', ssn: '900-11-0001' },
    answer: { message, data: { npn: '9000000001' } },
  },
  getSubscriptionUpdate: {
    call: (client, options) =>
      client.producers.getSubscriptionUpdate({ npn: '9000000001', reportDate: '2026-11-20' }, options),
    method: 'POST',
    path: '/v1/account/producer/subscription-update',
    body: { npn: '9000000001', reportDate: '2026-11-20' },
    answer: {
      npn: '9000000001',
      reportDate: '2026-11-20',
      updatedAt: '2026-11-19T12:00:00.000Z',
      changes: ['licenseInformation'],
      producer: producerBody,
    },
  },
  subscribe: {
    call: (client, options) => client.subscriptions.add({ npns: [9000000001] }, options),
    method: 'POST',
    path: '/v1/subscribe',
    body: { npns: [9000000001] },
    answer: subscription,
  },
  unsubscribe: {
    call: (client, options) => client.subscriptions.remove({ npns: ['9000000001'] }, options),
    method: 'DELETE',
    path: '/v1/unsubscribe',
    body: { npns: ['9000000001'] },
    answer: subscription,
  },
  assignTerritory: {
    call: (client, options) => client.territories.assign(9000000001, { territoryId: 'ter_south' }, options),
    method: 'POST',
    path: '/v1/account/producer/9000000001/territories',
    body: { territoryId: 'ter_south' },
    answer: {
      message,
      data: { assignedAt: 'now', npn: '9000000001', territoryId: 'ter_south', territoryName: 'South' },
    },
  },
  unassignTerritory: {
    call: (client, options) => client.territories.unassign('9000000001', 'ter/../south', options),
    method: 'DELETE',
    path: '/v1/account/producer/9000000001/territories/ter%2F..%2Fsouth',
    answer: { message, data: { npn: '9000000001', territoryId: 'ter/../south', unassignedAt: 'now' } },
  },
  listTerritories: {
    call: (client, options) => client.territories.list({ page: 2, pageSize: 50 }, options),
    method: 'GET',
    path: '/v1/account/territories?page=2&pageSize=50',
    answer: {
      message,
      data: {
        ...page,
        currentPage: 2,
        territories: [
          {
            id: 'ter_south',
            name: 'South',
            states: [
              {
                stateCode: 'TX',
                licenses: [
                  {
                    licenseClass: 'General Lines Agent',
                    licenseClassCode: '12',
                    loas: [{ code: '16', name: 'Life', residencyType: 'resident' }],
                  },
                ],
              },
            ],
            assignedProducers: [{ firstName: 'Avery', lastName: 'Sample', npn: '9000000001' }],
          },
        ],
      },
    },
  },
  syncProfile: {
    call: (client, options) => client.profiles.sync('a/b c', { npn: '123', email: null }, options),
    method: 'PATCH',
    path: '/v1/users/a%2Fb%20c/licensing-profile',
    body: { npn: '123', email: null },
    answer: { userId: 'a/b c', npn: '123', updatedAt: 'now' },
  },
  createSession: {
    call: (client, options) => client.sessions.create(sessionRequest, options),
    method: 'POST',
    path: '/v1/applications/sessions',
    body: sessionRequest,
    answer: sessionBody,
  },
  getApplication: {
    call: (client, options) => client.applications.get('app_1', options),
    method: 'GET',
    path: '/v1/applications/app_1',
    answer: applicationBody,
  },
  completeApplication: {
    call: (client, options) => client.testHelpers.completeApplication('app_1', { outcome: 'approved' }, options),
    method: 'POST',
    path: '/v1/test_helpers/applications/app_1/complete',
    body: { outcome: 'approved' },
    answer: applicationBody,
  },
  decideState: {
    call: (client, options) => client.testHelpers.decideState('app_1', 'TX', { status: 'approved' }, options),
    method: 'POST',
    path: '/v1/test_helpers/applications/app_1/states/TX',
    body: { status: 'approved' },
    answer: applicationBody,
  },
};
