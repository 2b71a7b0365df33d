import { z } from 'zod';
import type { TerritoryAssignRequest } from '../../../contract/index.js';
import { plainText } from './text.js';

/** Body of operation 14. */
export const territoryAssignRequestSchema = z.strictObject({
  territoryId: plainText(255),
}) satisfies z.ZodType<TerritoryAssignRequest>;
