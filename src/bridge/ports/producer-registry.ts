import type { ActiveLicense, Mode, ProducerDetail, ProducerSection, StateCode } from '../../contract/index.js';

/** The name of a producer in a registry. */
export interface ProducerName {
  firstName: string;
  lastName: string;
}

/** An active license and the state that issued it. */
export interface StateLicense extends ActiveLicense {
  state: StateCode;
}

/** An update of a producer, and the whole record at that time. */
export interface ProducerUpdate {
  updatedAt: Date;
  changes: ProducerSection[];
  producer: ProducerDetail;
}

/** An update that an adapter reports. */
export type ReportedUpdate = Omit<ProducerUpdate, 'producer'> & { npn: string };

/**
 * Stores the webhooks that announce updates to their subscribers. Resolves when they are stored;
 * rejects when they are not, and the adapter reports the updates again later.
 */
export type ReportUpdates = (mode: Mode, updates: readonly ReportedUpdate[]) => Promise<void>;

/**
 * Reads the national producer database, the source of all data about producers. A port for an
 * adapter of another database. Default: tables of the bridge's database, which
 * `licensing-bridge registry import` fills.
 *
 * The contract, which `licensing-bridge/conformance` checks for any adapter:
 *
 * 1. Each mode has a separate registry. They share no producers.
 * 2. NPNs are strings without leading zeros. Every function accepts up to 10,000 of them, without
 *    duplicates, in one call.
 * 3. An unknown producer is omitted and is not an error. All functions know the same producers.
 * 4. An outage rejects. The request or the batch fails and can be repeated.
 * 5. An adapter must not write the SSN of `findNpn` to a file, a log or an error.
 * 6. `watchUpdates` is optional. An update is reported when `findUpdate` returns it, and once: where
 *    several instances of the bridge run, only one of their adapters reports it.
 */
export interface ProducerRegistry {
  /**
   * Resolves with the existing NPNs.
   *
   * @param trx The caller's transaction, if any; only for the built-in registry. It reads on the
   *   caller's connection, because otherwise callers that hold all connections would wait for a
   *   second one.
   */
  findKnown(mode: Mode, npns: readonly string[], trx?: object): Promise<Set<string>>;
  /** Resolves with the records of the existing producers, by NPN. */
  findProducers(mode: Mode, npns: readonly string[]): Promise<Map<string, ProducerDetail>>;
  /** Resolves with the names of the existing producers, by NPN. */
  findNames(mode: Mode, npns: readonly string[]): Promise<Map<string, ProducerName>>;
  /** Resolves with the active licenses of the NPNs in some states, ordered by NPN and number. */
  findActiveLicenses(mode: Mode, npns: readonly string[], states: readonly StateCode[]): Promise<StateLicense[]>;
  /**
   * Resolves with the NPN of the producer with this SSN (nine digits) and this last name, without
   * regard to case; `undefined` when either does not match.
   */
  findNpn(mode: Mode, lastName: string, ssn: string): Promise<string | undefined>;
  /** Resolves with the newest update of a producer before a time. */
  findUpdate(mode: Mode, npn: string, before: Date): Promise<ProducerUpdate | undefined>;
  /**
   * Whether a mode has no producers at all, because none were imported. The pages then do not
   * tell users that their NPN is wrong. Default: no mode is empty.
   */
  isEmpty?(mode: Mode): Promise<boolean>;
  /**
   * Starts to report updates, so that their subscribers receive webhooks. The bridge calls it when
   * it starts, and again later when it rejects. Resolves with the function that ends it. Default: no
   * webhook announces the updates of the adapter.
   */
  watchUpdates?(report: ReportUpdates): Promise<() => Promise<void>>;
  /**
   * Tries the connection for `licensing-bridge check`, and changes nothing. Rejects when the adapter
   * cannot be used.
   */
  check?(): Promise<void>;
}
