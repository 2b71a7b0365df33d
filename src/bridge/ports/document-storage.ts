/**
 * Stores the content of uploaded documents. A port for an adapter of the operator's object store.
 * Default: a table of the bridge's database.
 *
 * The contract, which `licensing-bridge/conformance` checks for any adapter:
 *
 * 1. The content is already encrypted: an adapter never receives a readable document.
 * 2. When `put` resolves, the content is durable, and `get` returns the same bytes on every
 *    instance. A second `put` with the same id replaces the content.
 * 3. `get` resolves with `undefined` for an unknown id.
 * 4. When `remove` resolves, the content is deleted. Removing an unknown id succeeds.
 * 5. An outage rejects. The bridge lets the user try again, and repeats removals.
 */
export interface DocumentStorage {
  /** Stores the content of a document. */
  put(id: string, content: Uint8Array): Promise<void>;
  /** Resolves with the content of a document. */
  get(id: string): Promise<Uint8Array | undefined>;
  /** Removes the content of a document. */
  remove(id: string): Promise<void>;
}
