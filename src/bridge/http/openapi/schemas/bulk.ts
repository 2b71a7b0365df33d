import { z } from 'zod';
import type { BulkDetails, BulkFailure, BulkStart, BulkStatus } from '../../../../contract/index.js';
import { producerDetail } from './producer.js';
import { count, npn } from './values.js';

const id = z.uuid();

/** Answer of operation 7. */
export const bulkStart = z.object({ id, message: z.string() }) satisfies z.ZodType<BulkStart>;

/** Why one NPN failed. */
export const bulkFailure = z.object({
  npn,
  code: z.int(),
  reason: z.string(),
}) satisfies z.ZodType<BulkFailure>;

/** Answer of operation 8. */
export const bulkStatus = z.object({
  id,
  message: z.string(),
  npns: z.array(npn),
  failedNpns: z.array(npn),
  totalCount: count,
  successCount: count,
  failureCount: count,
  failureReason: z.array(bulkFailure),
}) satisfies z.ZodType<BulkStatus>;

/** Answer of operation 6. */
export const bulkDetails = z.object({
  id,
  message: z.string(),
  currentPage: z.int().min(1),
  pageSize: z.int().min(1),
  totalCount: count,
  hasNextPage: z.boolean(),
  hasPreviousPage: z.boolean(),
  details: z.array(producerDetail),
}) satisfies z.ZodType<BulkDetails>;
