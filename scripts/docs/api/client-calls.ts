import type { OperationId } from '../../../src/contract/index.js';

/**
 * The call of each operation with the client. `body` is the example of the page. A test compiles
 * them.
 */
export const clientCalls: Record<OperationId, (body: string) => string> = {
  login: () => 'await bridge.auth.login();',
  updateAccount: (body) => `const account = await bridge.account.update(${body});`,
  createAccountCredential: () =>
    `const credential = await bridge.account.createCredential({ agencyId: 'agc_5b6c7d8e9f' });`,
  resetCredential: () => 'const { liveClientSecret, testClientSecret } = await bridge.account.resetCredential();',
  onboardProducer: (body) => `const producer = await bridge.producers.onboard(${body});`,
  getBulkDetails: () => `const { details, hasNextPage } = await bridge.bulk.listDetails(id, { page: 1 });

// All pages, one after the other:
for await (const producer of bridge.bulk.listAllDetails(id)) console.log(producer.biographic.npn);`,
  startBulkOnboarding: (body) => `const { id } = await bridge.bulk.start(${body});`,
  getBulkStatus: () => `const status = await bridge.bulk.getStatus(id);

// Resolves at the end of the job:
const { successCount, failureReason } = await bridge.bulk.waitUntilCompleted(id);`,
  listActiveLicenses: () => `const byState = await bridge.producers.listActiveLicenses({ stateCode: ['TX', 'CA'] });`,
  lookUpNpn: (body) => `const { data } = await bridge.producers.lookUpNpn(${body});`,
  getSubscriptionUpdate: (body) => `const update = await bridge.producers.getSubscriptionUpdate(${body});`,
  subscribe: (body) => `const { npns } = await bridge.subscriptions.add(${body});`,
  unsubscribe: (body) => `const { npns } = await bridge.subscriptions.remove(${body});`,
  assignTerritory: (body) => `const { data } = await bridge.territories.assign('9000000001', ${body});`,
  unassignTerritory: () => `const { data } = await bridge.territories.unassign('9000000001', 'ter_south');`,
  listTerritories: () => `const { data } = await bridge.territories.list({ page: 1, pageSize: 20 });

// All pages, one after the other:
for await (const territory of bridge.territories.listAll()) console.log(territory.name);`,
  syncProfile: (body) => `const profile = await bridge.profiles.sync('usr_abc123', ${body});`,
  createSession: (body) => `const session = await bridge.sessions.create(${body});`,
  getApplication: () => `const application = await bridge.applications.get('app_9c8b7a6d');`,
  completeApplication: (body) =>
    `const application = await bridge.testHelpers.completeApplication('app_9c8b7a6d', ${body});`,
  decideState: (body) => `const application = await bridge.testHelpers.decideState('app_9c8b7a6d', 'TX', ${body});`,
};
