import type { z } from 'zod';
import type { OperationId, ReceivedTypes } from '../index.js';
import { received } from './received.js';
import { responses } from './responses/index.js';

/** The schemas with which a caller reads the response of each operation. */
export const responseSchemas = Object.fromEntries<z.ZodType>(
  Object.entries(responses).map(([id, schema]) => [id, received(schema)]),
  // The types are generated from these schemas.
) as { [Id in OperationId]: z.ZodType<ReceivedTypes[Id]> };
