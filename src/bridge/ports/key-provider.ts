/**
 * Where the keys of the bridge come from. A port: an operator with a KMS keeps the key wrapped and puts an adapter behind it that unwraps
 * it. Default: `BRIDGE_SECRET_KEY`, or a key in the data folder.
 *
 * The contract, which `licensing-apply/bridge/conformance` checks for any adapter:
 *
 * 1. Every call, on every instance, gives the same keys until the operator changes them. Text that a key has encrypted can be read only with
 *    that key.
 * 2. A key has 32 bytes. The first one encrypts and signs; those that follow are only read, the newest first.
 * 3. An outage rejects, and stops the start: a bridge with another key would refuse every login.
 * 4. The bridge holds the keys in memory only. An adapter writes them to no file and no log.
 */
export interface KeyProvider {
  /** Resolves with the keys. Called once, at the start of a bridge or a command. */
  loadKeys(): Promise<readonly [Buffer, ...Buffer[]]>;
  /** Where the first key comes from, for the error that says that the database was used with another one, such as `The KMS`. */
  readonly source: string;
}
