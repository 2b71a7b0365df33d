import type { BridgeClient, BridgeTerritories } from './bridge-client.js';
import { waitForBulk } from './bulk-completion.js';
import { createCalls } from './calls.js';
import { readSettings, type BridgeClientOptions } from './options.js';
import { iteratePages } from './pages.js';

/**
 * Creates a client of the bridge. Nothing is sent until the first call. Inspecting or serialising
 * the client shows its methods only, never a secret.
 * @throws TypeError when an option is wrong or unknown.
 */
export function createBridgeClient(options: BridgeClientOptions): BridgeClient {
  const settings = readSettings(options);
  const { call, request, login, replaceSecret } = createCalls(settings);

  const bulk: BridgeClient['bulk'] = {
    start: (body, options) => call('startBulkOnboarding', { body }, options),
    getStatus: (id, options) => call('getBulkStatus', { params: { id } }, options),
    listDetails: (id, { page = 1, ...query } = {}, options = {}) =>
      call('getBulkDetails', { params: { id }, query: { ...query, page } }, options),
    listAllDetails: (id, options) =>
      iteratePages('getBulkDetails', async (page) => {
        const answer = await bulk.listDetails(id, { page }, options);
        return { ...answer, items: answer.details };
      }),
    waitUntilCompleted: (id, options) => waitForBulk(id, bulk.getStatus, options, settings),
  };

  const territories: BridgeTerritories = {
    list: ({ page = 1, pageSize = 20, ...query } = {}, options = {}) =>
      call('listTerritories', { query: { ...query, page, pageSize } }, options),
    listAll: (query, options) =>
      iteratePages('listTerritories', async (page) => {
        const { data } = await territories.list({ ...query, page }, options);
        return { ...data, items: data.territories };
      }),
    assign: (npn, body, options) => call('assignTerritory', { params: { npn }, body }, options),
    unassign: (npn, territoryId, options) => call('unassignTerritory', { params: { npn, territoryId } }, options),
  };

  return {
    auth: { login },
    account: {
      update: (body, options) => call('updateAccount', { body }, options),
      createCredential: (query, options) => call('createAccountCredential', { query }, options),
      async resetCredential(options) {
        const reset = await call('resetCredential', {}, options);
        // The live one: a test token is refused, so this client was live before.
        replaceSecret(reset.liveClientSecret);
        return reset;
      },
    },
    producers: {
      onboard: (body, options) => call('onboardProducer', { body }, options),
      lookUpNpn: (body, options) => call('lookUpNpn', { body }, options),
      listActiveLicenses: (query, options) => call('listActiveLicenses', { query }, options),
      getSubscriptionUpdate: (body, options) => call('getSubscriptionUpdate', { body }, options),
    },
    bulk,
    subscriptions: {
      add: (body, options) => call('subscribe', { body }, options),
      remove: (body, options) => call('unsubscribe', { body }, options),
    },
    territories,
    profiles: {
      sync: (userId, body, options) => call('syncProfile', { params: { userId }, body }, options),
    },
    sessions: {
      create: (body, options) => call('createSession', { body }, options),
    },
    applications: {
      get: (applicationId, options) => call('getApplication', { params: { applicationId } }, options),
    },
    testHelpers: {
      decideState: (applicationId, state, body, options) =>
        call('decideState', { params: { applicationId, state }, body }, options),
    },
    request,
  };
}
