/**
 * The requests and responses of the API with their documentation: one entry for each row of the
 * contract's table of operations. Requests are validated with these schemas, and the types of
 * handlers and `/openapi.json` are derived from them.
 */
import type { z } from 'zod';
import type { OperationId } from '../../../contract/index.js';
import { accountEntries } from './account.js';
import { bulkEntries } from './bulk.js';
import type { EntriesOf } from './operation-entry.js';
import { producerEntries } from './producers.js';
import { sessionEntries } from './sessions.js';
import { territoryEntries } from './territories.js';

export { tags, type OperationEntry } from './operation-entry.js';
export { pathSchemas } from './values.js';

/** The entries of all operations. */
export const operationEntries = {
  ...accountEntries,
  ...producerEntries,
  ...bulkEntries,
  ...territoryEntries,
  ...sessionEntries,
} satisfies EntriesOf<OperationId>;

type Entries = typeof operationEntries;

/**
 * The body of an operation as its handler receives it: NPNs without leading zeros, SSNs without
 * dashes.
 */
export type BodyOf<Id extends OperationId> = Entries[Id] extends { body: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;

/** The query of an operation as its handler receives it. */
export type QueryOf<Id extends OperationId> = Entries[Id] extends { query: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;
