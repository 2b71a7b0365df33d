import type { OperationId, OperationTypes, ReceivedBulkStatus } from '../../contract/index.js';
import { parseGiven } from '../configuration.js';
import { BridgeClientError, isBridgeClientError } from './bridge-client-error.js';
import { createCalls, withDeadline, type Calls } from './calls.js';
import {
  callOptionsSchema,
  readSettings,
  type BridgeClientOptions,
  type CallOptions,
  type Settings,
} from './options.js';
import type { BridgeRequest, CreateSessionOptions } from './request.js';

/**
 * The operations of the bridge in groups, and a method for requests that have none. Each method
 * resolves with the answer and rejects with a `BridgeClientError`. A mistake in the arguments is a
 * `TypeError`, before anything is sent.
 */
export interface BridgeClient extends ReturnType<typeof groupOperations> {
  /**
   * Sends a request without a method, with the token, deadline and errors of all calls. Resolves
   * with the parsed JSON, or `undefined` for an empty response. A GET is repeated after any outage,
   * other methods only where nothing was done.
   */
  request(request: BridgeRequest, options?: CallOptions): Promise<unknown>;
}

/**
 * Creates a client of the bridge. Nothing is sent until the first call. Inspecting or serialising
 * the client shows its methods only, never a secret.
 *
 * @throws TypeError when an option is wrong or unknown.
 */
export function createBridgeClient(options: BridgeClientOptions): BridgeClient {
  const settings = readSettings(options);
  const calls = createCalls(settings);
  return { ...groupOperations(calls, settings), request: calls.request };
}

type Body<Id extends OperationId> = OperationTypes[Id]['body'];
type Query<Id extends OperationId> = OperationTypes[Id]['query'];

function groupOperations({ call, logIn, replaceSecret }: Calls, settings: Settings) {
  const getStatus = (id: string, options?: CallOptions) => call('getBulkStatus', { params: { id } }, options);
  const listDetails = (id: string, query: Query<'getBulkDetails'> = {}, options?: CallOptions) =>
    call('getBulkDetails', { params: { id }, query: { page: 1, ...query } }, options);
  const listTerritories = (query: Query<'listTerritories'> = {}, options?: CallOptions) =>
    call('listTerritories', { query: { page: 1, pageSize: 20, ...query } }, options);

  return {
    /** The login. */
    auth: {
      /**
       * Logs in now (operation 1). The other methods log in by themselves; at start-up, this one
       * finds a wrong secret.
       */
      login: logIn,
    },
    /** The agency's account and credentials. */
    account: {
      /**
       * Changes the settings of the account (operation 2). An absent field keeps its value; `null`
       * or "" clears it.
       */
      update: (settings: Body<'updateAccount'>, options?: CallOptions) =>
        call('updateAccount', { body: settings }, options),
      /**
       * Issues the credential of an agency (operation 3). Works once without credentials.
       * Afterwards it takes live credentials, which it ends: create a new client with the new ones.
       * The secrets cannot be read again.
       */
      createCredential: (query: Query<'createAccountCredential'>, options?: CallOptions) =>
        call('createAccountCredential', { query }, options),
      /**
       * Replaces both secrets and ends every token issued before (operation 4). Takes live
       * credentials; this client continues with the new live secret. Store both secrets at once:
       * they cannot be read again. Current calls may fail with `credentials_refused`. Not repeated
       * once anything was sent.
       */
      resetCredential: async (options?: CallOptions) => {
        const reset = await call('resetCredential', {}, options);
        // The live one: a test token is refused, so this client was live before.
        replaceSecret(reset.liveClientSecret);
        return reset;
      },
    },
    /** Single producers. */
    producers: {
      /**
       * Looks up, subscribes or onboards one producer (operation 5). `lookup` changes nothing.
       * `team` takes personal data and the SSN, and is not repeated where the producer may have
       * been onboarded already.
       */
      onboard: (request: Body<'onboardProducer'>, options?: CallOptions) =>
        call('onboardProducer', { body: request }, options),
      /**
       * Finds an NPN by last name and SSN (operation 10). Rejects with `refused` when no producer
       * matches both.
       */
      lookUpNpn: (request: Body<'lookUpNpn'>, options?: CallOptions) => call('lookUpNpn', { body: request }, options),
      /**
       * Lists the active licenses of the onboarded producers, a record for each of these states
       * (operation 9).
       */
      listActiveLicenses: (query: Query<'listActiveLicenses'>, options?: CallOptions) =>
        call('listActiveLicenses', { query }, options),
      /**
       * Reads the latest update of a subscribed producer on or before a day (operation 11).
       * `refused` when there is none.
       */
      getSubscriptionUpdate: (request: Body<'getSubscriptionUpdate'>, options?: CallOptions) =>
        call('getSubscriptionUpdate', { body: request }, options),
    },
    /** Many producers in one job. */
    bulk: {
      /**
       * Starts onboarding up to 10,000 producers (operation 7). Not repeated where the job may have
       * been started already.
       */
      start: (request: Body<'startBulkOnboarding'>, options?: CallOptions) =>
        call('startBulkOnboarding', { body: request }, options),
      /** Reads the progress of a bulk onboarding (operation 8). */
      getStatus,
      /** Reads one page of the producers of a bulk onboarding (operation 6). Default: page 1. */
      listDetails,
      /**
       * Iterates over all producers of a bulk onboarding (operation 6). A page is read when the
       * loop gets there; the options hold for each page. Of a job that is running, the producers
       * that are done so far.
       */
      listAllDetails: (id: string, options?: CallOptions) =>
        iteratePages('getBulkDetails', async (page) => {
          const answer = await listDetails(id, { page }, options);
          return { ...answer, items: answer.details };
        }),
      /**
       * Resolves with the final status of a bulk onboarding (operation 8), started in this process
       * or another. Reads the status less and less often, at least every 10 s, and outlasts an
       * outage of the bridge of up to five minutes. By default without a deadline. When `signal` or
       * `timeoutMs` ends it, the bulk onboarding continues.
       */
      waitUntilCompleted: (id: string, options?: CallOptions) => waitForBulk(id, getStatus, options, settings),
    },
    /** The producers whose updates the agency follows. */
    subscriptions: {
      /**
       * Subscribes up to 10,000 producers (operation 12). One that is subscribed already keeps its
       * `addedAt`.
       */
      add: (request: Body<'subscribe'>, options?: CallOptions) => call('subscribe', { body: request }, options),
      /**
       * Ends subscriptions (operation 13). The answer has only the producers that were subscribed
       * until then.
       */
      remove: (request: Body<'unsubscribe'>, options?: CallOptions) => call('unsubscribe', { body: request }, options),
    },
    /** Territories and the producers assigned to them. */
    territories: {
      /**
       * Reads one page of the agency's territories and their producers (operation 16). Default:
       * page 1 of 20.
       */
      list: listTerritories,
      /**
       * Iterates over all territories of the agency (operation 16). A page of `pageSize`, 1–100, is
       * read when the loop gets there; the options hold for each page.
       */
      listAll: (query?: Pick<Query<'listTerritories'>, 'pageSize'>, options?: CallOptions) =>
        iteratePages('listTerritories', async (page) => {
          const { data } = await listTerritories({ ...query, page }, options);
          return { ...data, items: data.territories };
        }),
      /**
       * Assigns a territory to a producer beside those that are assigned (operation 14). The second
       * time changes nothing.
       */
      assign: (npn: string | number, request: Body<'assignTerritory'>, options?: CallOptions) =>
        call('assignTerritory', { params: { npn }, body: request }, options),
      /**
       * Takes a territory from a producer (operation 15). Rejects with `refused` when it is not
       * assigned.
       */
      unassign: (npn: string | number, territoryId: string, options?: CallOptions) =>
        call('unassignTerritory', { params: { npn, territoryId } }, options),
    },
    /** The profiles of users. */
    profiles: {
      /**
       * Merges your data about a user, so that the user does not type it again (operation 17).
       * `null` removes a field.
       */
      sync: (userId: string, profile: Body<'syncProfile'>, options?: CallOptions) =>
        call('syncProfile', { params: { userId }, body: profile }, options),
    },
    /** Sessions of the hosted application. */
    sessions: {
      /**
       * Creates an application and the URL at which the user completes it (operation 18). Repeated
       * after a broken connection or a 5xx only with the client's option `honorsIdempotencyKey`.
       */
      create: (session: Body<'createSession'>, options?: CreateSessionOptions) =>
        call('createSession', { body: session }, options),
    },
    /** Progress and statuses of applications. */
    applications: {
      /** Reads the progress of an application and its status per state (operation 19). */
      get: (applicationId: string, options?: CallOptions) =>
        call('getApplication', { params: { applicationId } }, options),
    },
    /** An addition of our bridge to the service. Test credentials only. */
    testHelpers: {
      /**
       * Completes and submits an application with sample data, as a user would, with all webhooks.
       * The synced part of the profile is used. For tests of a backend without a browser.
       */
      completeApplication: (applicationId: string, body: Body<'completeApplication'> = {}, options?: CallOptions) =>
        call('completeApplication', { params: { applicationId }, body }, options),
      /** Lets a simulated department decide. */
      decideState: (applicationId: string, state: string, decision: Body<'decideState'>, options?: CallOptions) =>
        call('decideState', { params: { applicationId, state }, body: decision }, options),
    },
  };
}

/** One page of a list. */
interface Page<Item> {
  items: readonly Item[];
  /** From 1; 0 when the host does not say. */
  currentPage: number;
  hasNextPage: boolean;
}

/** A page is read when its first item is asked for. */
async function* iteratePages<Item>(
  operation: OperationId,
  readPage: (page: number) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let page = 1; ; page += 1) {
    const { items, currentPage, hasNextPage } = await readPage(page);
    // A host that ignores `page` would return its first page without end.
    if (currentPage !== 0 && currentPage !== page) {
      const message = `${operation}: asked for page ${page} and got page ${currentPage}.`;
      throw new BridgeClientError({ code: 'unreadable', operation, message, retryable: false });
    }
    yield* items;
    if (!hasNextPage || items.length === 0) return;
  }
}

const longestPauseMs = 10_000;
const waitEnded = 'waiting was ended. The bulk onboarding continues: wait again with its id.';
/** A bridge that is restarted or moved is back by then. */
const longestOutageMs = 5 * 60_000;

async function waitForBulk(
  id: string,
  getStatus: (id: string, options: CallOptions) => Promise<ReceivedBulkStatus>,
  options: CallOptions = {},
  { clock, random, log }: Settings,
): Promise<ReceivedBulkStatus> {
  parseGiven('waitUntilCompleted', callOptionsSchema, options);
  return withDeadline(
    clock,
    { operation: 'getBulkStatus', repeat: 'always', endedMessage: waitEnded, ...options },
    async ({ signal, sleep }) => {
      let answeredAt = clock.now();
      for (let attempt = 0; ; attempt += 1) {
        // Half of it jitter, so that jobs that were started together are not read together.
        let delayMs = Math.round((Math.min(longestPauseMs, 500 * 1.5 ** attempt) * (1 + random())) / 2);
        try {
          const status = await getStatus(id, { signal });
          // While a job runs, both counts are 0 (spec, rule 7). Not every host repeats the id, and
          // the next call needs it.
          if (status.successCount + status.failureCount > 0) return { ...status, id };
          answeredAt = clock.now();
        } catch (error) {
          // The job continues while the bridge cannot be reached.
          const isOutage = isBridgeClientError(error) && error.retryable;
          if (!isOutage || clock.now() - answeredAt > longestOutageMs) throw error;
          delayMs = Math.max(delayMs, error.retryAfterMs ?? 0);
        }
        log({ level: 'debug', event: 'bridge.bulk_wait', attempt, delayMs });
        await sleep(delayMs);
      }
    },
  );
}
