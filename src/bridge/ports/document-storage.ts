/**
 * Keeps the content of documents that users upload. A port: an operator puts an adapter of their own object store behind it. Default:
 * a table of the bridge's own database.
 *
 * The contract, which `licensing-apply/bridge/conformance` checks for any adapter:
 *
 * 1. Content is encrypted before it gets here and decrypted after it leaves: an adapter never sees a document.
 * 2. When `put` resolves, the content is durable, and `get` returns the same bytes on every instance. The same id twice keeps the last.
 * 3. `get` resolves with `undefined` where there is nothing of this id.
 * 4. When `remove` resolves, the content is gone. Removing what is not there does no harm.
 * 5. An outage rejects. The bridge shows the user a way to try again, and repeats removals.
 */
export interface DocumentStorage {
  /** Keeps the content of a document. */
  put(id: string, content: Uint8Array): Promise<void>;
  /** Resolves with the content of a document. */
  get(id: string): Promise<Uint8Array | undefined>;
  /** Removes the content of a document. */
  remove(id: string): Promise<void>;
}
