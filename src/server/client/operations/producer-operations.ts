import type {
  ActiveLicenses,
  NpnLookUp,
  NpnLookUpRequest,
  ProducerOnboardRequest,
  SubscriptionUpdateRequest,
} from '../../../contract/index.js';
import type { Calls } from '../calls.js';
import type { CallOptions } from '../options.js';
import type { Received, ReceivedProducer, ReceivedSubscriptionUpdate } from '../received.js';

/** Operations 5 and 9 to 11: what is known of producers. */
export interface ProducerOperations {
  /**
   * Looks up, subscribes or onboards one producer (operation 5). `lookup` changes nothing. `team` takes personal data, the SSN
   * included, which never appears in an error or a log line; it is the one type that is not repeated after a failure that
   * leaves open whether it was done.
   */
  onboardProducer(request: ProducerOnboardRequest, options?: CallOptions): Promise<ReceivedProducer>;
  /** Lists the active licenses of the onboarded producers, a record for each of these states (operation 9). */
  listActiveLicenses(stateCodes: readonly string[], options?: CallOptions): Promise<Received<ActiveLicenses>[]>;
  /** Finds an NPN by last name and SSN (operation 10). Rejects with `refused` when nobody matches both. */
  lookUpNpn(request: NpnLookUpRequest, options?: CallOptions): Promise<NpnLookUp>;
  /** Reads the latest update of a subscribed producer on or before a day (operation 11). `refused` when there is none. */
  getSubscriptionUpdate(request: SubscriptionUpdateRequest, options?: CallOptions): Promise<ReceivedSubscriptionUpdate>;
}

/** Offers operations 5 and 9 to 11. */
export function producerOperations({ call }: Calls): ProducerOperations {
  return {
    onboardProducer: (request, options) => call('onboardProducer', { body: request }, options),
    listActiveLicenses: (stateCode, options) => call('listActiveLicenses', { query: { stateCode } }, options),
    lookUpNpn: (request, options) => call('lookUpNpn', { body: request }, options),
    getSubscriptionUpdate: (request, options) => call('getSubscriptionUpdate', { body: request }, options),
  };
}
