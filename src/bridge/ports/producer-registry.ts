import type { ActiveLicense, Mode, ProducerDetail, ProducerSection, StateCode } from '../../contract/index.js';

/** What a registry says of a producer's name. */
export interface ProducerName {
  firstName: string;
  lastName: string;
}

/** An active license and the state that issued it. */
export interface StateLicense extends ActiveLicense {
  state: StateCode;
}

/** What changed of a producer, and the whole record as of then. */
export interface ProducerUpdate {
  updatedAt: Date;
  changes: ProducerSection[];
  producer: ProducerDetail;
}

/**
 * The national producer database, as the bridge sees it: everything known of producers comes through here. A port: an operator puts an
 * adapter of another database behind it. Default: tables of the bridge's own database, which `licensing-bridge registry import` fills.
 *
 * The contract, which `licensing-apply/bridge/conformance` checks for any adapter:
 *
 * 1. Each mode has a registry of its own. They share no producers.
 * 2. NPNs are texts without leading zeros. Every function takes at most 10,000 of them, none twice, and answers for all of them.
 * 3. A producer that is not known is left out, and is no error. All functions agree on who is known.
 * 4. An outage rejects. The request or the batch that asked fails and can be repeated.
 * 5. An SSN that `findNpn` is given is written to no file and no log, and is in no error.
 */
export interface ProducerRegistry {
  /**
   * Those of the NPNs that exist.
   *
   * @param trx The transaction in which the caller asks, if any: of the built-in registry alone. It is in the same database and reads on
   * the caller's connection; as many callers as there are connections would otherwise each hold one and wait for a second.
   */
  findKnown(mode: Mode, npns: readonly string[], trx?: object): Promise<Set<string>>;
  /** The records of those that exist, by NPN. */
  findProducers(mode: Mode, npns: readonly string[]): Promise<Map<string, ProducerDetail>>;
  /** The names of those that exist, by NPN. */
  findNames(mode: Mode, npns: readonly string[]): Promise<Map<string, ProducerName>>;
  /** The active licenses of the NPNs in some states, ordered by NPN and number. */
  findActiveLicenses(mode: Mode, npns: readonly string[], states: readonly StateCode[]): Promise<StateLicense[]>;
  /** The NPN of whoever has this SSN (nine digits) and this last name, in any case; `undefined` when either does not fit. */
  findNpn(mode: Mode, lastName: string, ssn: string): Promise<string | undefined>;
  /** The newest update of a producer that came before a moment. */
  findUpdate(mode: Mode, npn: string, before: Date): Promise<ProducerUpdate | undefined>;
}
