import type { z } from 'zod';
import type { OperationId } from '../../index.js';
import { accountResponses } from './account.js';
import { bulkResponses } from './bulk.js';
import { producerResponses } from './producers.js';
import { sessionResponses } from './sessions.js';
import { territoryResponses } from './territories.js';

/**
 * The responses of all operations. A separate folder, because the client reads responses without
 * loading the schemas of requests.
 */
export const responses = {
  ...accountResponses,
  ...producerResponses,
  ...bulkResponses,
  ...territoryResponses,
  ...sessionResponses,
} satisfies Record<OperationId, z.ZodType>;
