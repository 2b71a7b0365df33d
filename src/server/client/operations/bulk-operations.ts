import type {
  BulkDetails,
  BulkDetailsQuery,
  BulkOnboardRequest,
  BulkOnboardType,
  BulkStart,
} from '../../../contract/index.js';
import { waitForBulk, type BulkWaitOptions } from '../bulk-completion.js';
import type { Calls } from '../calls.js';
import type { CallOptions, Settings } from '../options.js';
import { walkPages } from '../pages.js';
import type { Received, ReceivedBulkStatus, ReceivedProducer } from '../received.js';

/** Options of {@link BulkOperations.bulkOnboard}. */
export interface BulkOnboardOptions extends CallOptions {
  /** What to do with each producer. Default: `lookup`, which changes nothing. */
  onboardType?: BulkOnboardType;
}

/** A bulk onboarding that was asked for. */
export interface BulkOnboarding {
  /** Resolves with its id once the bridge has taken it on. Keep the id: any process can wait for it. */
  readonly started: Promise<BulkStart>;
  /**
   * Resolves with the final status. Asks for it less and less often, 10 s apart at most, and outlasts an outage of the bridge of
   * up to five minutes. Rejects as soon as the bulk onboarding could not be started.
   */
  completed(options?: BulkWaitOptions): Promise<ReceivedBulkStatus>;
}

/** Operations 6 to 8: many producers at once. */
export interface BulkOperations {
  /** Reads one page of the producers of a bulk onboarding (operation 6). */
  getBulkDetails(id: string, options?: BulkDetailsQuery & CallOptions): Promise<Received<BulkDetails>>;
  /** Starts onboarding up to 10,000 producers (operation 7). Not repeated after a failure that leaves open whether it was done. */
  startBulkOnboarding(request: BulkOnboardRequest, options?: CallOptions): Promise<BulkStart>;
  /** Reads how far a bulk onboarding is (operation 8). */
  getBulkStatus(id: string, options?: CallOptions): Promise<ReceivedBulkStatus>;
  /**
   * Goes through all producers of a bulk onboarding, a page at a time as the loop gets there. The options hold for each page.
   * Of one that is not completed, only those that are done so far.
   */
  bulkDetails(id: string, options?: CallOptions): AsyncGenerator<ReceivedProducer, void, undefined>;
  /** Starts a bulk onboarding at once, to be waited for: `await bridge.bulkOnboard(npns).completed({ signal })`. */
  bulkOnboard(npns: readonly (string | number)[], options?: BulkOnboardOptions): BulkOnboarding;
  /** Waits for a bulk onboarding that was started before, in this process or another, as {@link BulkOnboarding.completed} does. */
  bulkCompleted(id: string, options?: BulkWaitOptions): Promise<ReceivedBulkStatus>;
}

/** Offers operations 6 to 8 and what is built on them. */
export function bulkOperations({ call }: Calls, settings: Settings): BulkOperations {
  const getBulkStatus = (id: string, options?: CallOptions) => call('getBulkStatus', { params: { id } }, options);
  const completed = (started: Promise<{ id: string }>, options: BulkWaitOptions = {}) =>
    waitForBulk(started, getBulkStatus, options, settings);

  const operations: BulkOperations = {
    getBulkDetails: (id, { page = 1, ...options } = {}) =>
      call('getBulkDetails', { params: { id }, query: { page } }, options),
    startBulkOnboarding: (request, options) => call('startBulkOnboarding', { body: request }, options),
    getBulkStatus,
    bulkDetails: (id, options) =>
      walkPages('getBulkDetails', async (page) => {
        const { details, ...rest } = await operations.getBulkDetails(id, { ...options, page });
        return { ...rest, items: details };
      }),
    bulkOnboard(npns, { onboardType = 'lookup', ...options } = {}) {
      const started = operations.startBulkOnboarding({ npn: npns, onboardType }, options);
      // Whoever waits hears of a failure; that nobody waits must not end the process.
      started.catch(() => undefined);
      return { started, completed: (waitOptions) => completed(started, waitOptions) };
    },
    bulkCompleted: (id, options) => completed(Promise.resolve({ id }), options),
  };
  return operations;
}
