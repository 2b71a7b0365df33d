import type { Subscription } from '../../../contract/index.js';
import type { Calls } from '../calls.js';
import type { CallOptions } from '../options.js';

/** Operations 12 and 13: whose updates the agency follows. */
export interface SubscriptionOperations {
  /** Follows the updates of up to 10,000 producers (operation 12). One that is followed already keeps its `addedAt`. */
  subscribe(npns: readonly (string | number)[], options?: CallOptions): Promise<Subscription>;
  /** Ends that (operation 13). The answer leaves out those that were not followed: after a repetition, the ones that are done. */
  unsubscribe(npns: readonly (string | number)[], options?: CallOptions): Promise<Subscription>;
}

/** Offers operations 12 and 13. */
export function subscriptionOperations({ call }: Calls): SubscriptionOperations {
  return {
    subscribe: (npns, options) => call('subscribe', { body: { npns } }, options),
    unsubscribe: (npns, options) => call('unsubscribe', { body: { npns } }, options),
  };
}
