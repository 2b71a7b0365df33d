import type { z } from 'zod';
import type { OperationId } from '../index.js';
import { accountRequests } from './requests/account.js';
import { producerRequests } from './requests/producers.js';
import { sessionRequests } from './requests/sessions.js';
import { responses } from './responses/index.js';

/** The schemas of an operation. */
export interface OperationSchemas extends RequestSchemas {
  /** The response. The bridge does not validate its responses; the tests do. */
  response: z.ZodType;
}

interface RequestSchemas {
  /** The query parameters, if any. Others are ignored. Repeated parameters are joined with commas. */
  query?: z.ZodObject;
  /** The body, if any. */
  body?: z.ZodType;
}

/** The requests of the operations that take any input besides their path. */
export const requests = {
  ...accountRequests,
  ...producerRequests,
  ...sessionRequests,
} satisfies Partial<Record<OperationId, RequestSchemas>>;

type Requests = typeof requests;

/** The requests and responses of all operations. */
export const operationSchemas = Object.fromEntries<OperationSchemas>(
  Object.entries(responses).map(([id, response]) => [id, { ...requests[id as keyof Requests], response }]),
) as Record<OperationId, OperationSchemas>;

/**
 * The body of an operation as its handler receives it: NPNs without leading zeros, SSNs without
 * dashes.
 */
export type BodyOf<Id extends OperationId> = Id extends keyof Requests
  ? Requests[Id] extends { body: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : undefined
  : undefined;

/** The query of an operation as its handler receives it. */
export type QueryOf<Id extends OperationId> = Id extends keyof Requests
  ? Requests[Id] extends { query: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : undefined
  : undefined;
