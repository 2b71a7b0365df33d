import type { Mode } from '../../contract/index.js';

/**
 * Loads the keys of the bridge. A port for an adapter that unwraps a key with the operator's KMS.
 * Default: `BRIDGE_SECRET_KEY`, or a key in the data folder.
 *
 * The contract, which `licensing-bridge/conformance` checks for any adapter:
 *
 * 1. Every call, on every instance, returns the same keys until the operator changes them. Data
 *    that a key has encrypted can only be read with that key.
 * 2. A key has 32 bytes. The first one encrypts and signs; the others only decrypt, newest first.
 * 3. An outage rejects, and stops the start, because a bridge with another key would reject every
 *    login.
 * 4. The bridge keeps the keys only in memory. An adapter must not write them to a file or log.
 */
export interface KeyProvider {
  /**
   * Resolves with the keys of a mode. Called once for each, at the start of a bridge or a command. A
   * provider without keys of test mode returns those of live mode for both.
   */
  loadKeys(mode: Mode): Promise<readonly [Buffer, ...Buffer[]]>;
  /**
   * The source of the first key, such as `The KMS`, for the error when the database was used with
   * another key.
   */
  readonly source: string;
}
