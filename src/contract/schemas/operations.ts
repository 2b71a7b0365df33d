import type { z } from 'zod';
import type { OperationId } from '../index.js';
import { accountSchemas } from './account.js';
import { bulkSchemas } from './bulk.js';
import { producerSchemas } from './producers.js';
import { sessionSchemas } from './sessions.js';
import { territorySchemas } from './territories.js';

/** The schemas of an operation. */
export interface OperationSchemas {
  /** The query parameters, if any. Others are ignored. Repeated parameters are joined with commas. */
  query?: z.ZodObject;
  /** The body, if any. */
  body?: z.ZodType;
  /** The response. The bridge does not validate its responses; the tests do. */
  response: z.ZodType;
}

/** The requests and responses of all operations. */
export const operationSchemas = {
  ...accountSchemas,
  ...producerSchemas,
  ...bulkSchemas,
  ...territorySchemas,
  ...sessionSchemas,
} satisfies Record<OperationId, OperationSchemas>;

type Schemas = typeof operationSchemas;

/**
 * The body of an operation as its handler receives it: NPNs without leading zeros, SSNs without
 * dashes.
 */
export type BodyOf<Id extends OperationId> = Schemas[Id] extends { body: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;

/** The query of an operation as its handler receives it. */
export type QueryOf<Id extends OperationId> = Schemas[Id] extends { query: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;
