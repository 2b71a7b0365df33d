/** The documentation of the operations: one entry for each row of the contract's table of operations. */
import type { OperationId } from '../../../../contract/index.js';
import { accountEntries } from './account.js';
import { bulkEntries } from './bulk.js';
import type { EntriesOf } from './operation-entry.js';
import { producerEntries } from './producers.js';
import { sessionEntries } from './sessions.js';
import { territoryEntries } from './territories.js';

export { tags, type OperationEntry } from './operation-entry.js';

/** The entries of all operations. */
export const operationEntries = {
  ...accountEntries,
  ...producerEntries,
  ...bulkEntries,
  ...territoryEntries,
  ...sessionEntries,
} satisfies EntriesOf<OperationId>;
