import { z } from 'zod';
import {
  bulkDetailsPageSize,
  bulkOnboardTypes,
  failures,
  type BulkDetails,
  type BulkFailure,
  type BulkOnboardRequest,
  type BulkStart,
  type BulkStatus,
} from '../../../contract/index.js';
import { npnListSchema } from '../../domain/values/values.js';
import type { EntriesOf } from './operation-entry.js';
import { exampleProducer, producerDetail } from './producer-detail.js';
import { count, npn, page, queryParameters } from './values.js';

const bulkOnboardRequest = z
  .strictObject({
    npn: npnListSchema,
    onboardType: z.enum(bulkOnboardTypes, { error: `expected ${bulkOnboardTypes.join(' or ')}` }),
  })
  .meta({ id: 'BulkOnboardRequest' }) satisfies z.ZodType<BulkOnboardRequest>;

const bulkStart = z
  .object({ id: z.uuid(), message: z.string() })
  .meta({ id: 'BulkStart' }) satisfies z.ZodType<BulkStart>;

const bulkFailure = z
  .object({ npn, code: z.int(), reason: z.string() })
  .meta({ id: 'BulkFailure' }) satisfies z.ZodType<BulkFailure>;

const bulkStatus = z
  .object({
    id: z.uuid(),
    message: z.string(),
    npns: z.array(npn),
    failedNpns: z.array(npn),
    totalCount: count,
    successCount: count,
    failureCount: count,
    failureReason: z.array(bulkFailure),
  })
  .meta({ id: 'BulkStatus' }) satisfies z.ZodType<BulkStatus>;

const bulkDetails = z
  .object({ id: z.uuid(), message: z.string(), ...page, details: z.array(producerDetail) })
  .meta({ id: 'BulkDetails' }) satisfies z.ZodType<BulkDetails>;

const id = '3f0c8a52-6d1e-4b7a-9c25-0e8f4d2b1a60';
const finished = 'Bulk onboarding has finished.';

/** Operations 6 to 8. */
export const bulkEntries = {
  getBulkDetails: {
    tag: 'Bulk onboarding',
    description:
      'Fifty producers a page. While the job runs, the pages hold what is done so far. A page past the last one is empty ' +
      'and not a failure. An id that is not a UUID is 400, one that the agency does not have is 404.',
    query: z.object({ page: queryParameters.page }),
    response: bulkDetails,
    answer: 'One page of producers.',
    answers: {
      finished: {
        id,
        message: finished,
        currentPage: 1,
        pageSize: bulkDetailsPageSize,
        totalCount: 1,
        hasNextPage: false,
        hasPreviousPage: false,
        details: [exampleProducer],
      },
    },
  },

  startBulkOnboarding: {
    tag: 'Bulk onboarding',
    description:
      'Takes up to 10,000 NPNs; duplicates count once. Malformed numbers fail the whole call with 400, and the first ten ' +
      'of them are named. Follow the job with its id.',
    body: bulkOnboardRequest,
    bodies: { 'Two producers': { npn: [9_000_000_001, '9000000003'], onboardType: 'subscribe' } },
    response: bulkStart,
    answer: 'The job was accepted.',
    answers: { started: { id, message: 'Bulk onboarding has started.' } },
  },

  getBulkStatus: {
    tag: 'Bulk onboarding',
    description:
      'While the job runs, `totalCount` is set, both other counts are 0, the lists are empty and the message asks to try ' +
      'again. At the end the message says so. An id that is not a UUID is 400, one that the agency does not have is 404.',
    response: bulkStatus,
    answer: 'Where the job stands.',
    answers: {
      Completed: {
        id,
        message: finished,
        npns: ['9000000001', '9000000003'],
        failedNpns: ['9000000003'],
        totalCount: 2,
        successCount: 1,
        failureCount: 1,
        failureReason: [
          { npn: '9000000003', code: failures.unknown_producer[0], reason: failures.unknown_producer[1] },
        ],
      },
      'In progress': {
        id,
        message: 'Bulk onboarding is still running. Try again shortly.',
        npns: [],
        failedNpns: [],
        totalCount: 2,
        successCount: 0,
        failureCount: 0,
        failureReason: [],
      },
    },
  },
} satisfies EntriesOf<'getBulkDetails' | 'startBulkOnboarding' | 'getBulkStatus'>;
