import { z } from 'zod';
import { count, npn, page } from '../values.js';
import { producerDetail } from './producer-detail.js';

const bulkStart = z
  .object({
    id: z.uuid().meta({ received: 'required', description: 'A UUID for operations 6 and 8.' }),
    message: z.string().describe('A sentence for people.'),
  })
  .meta({
    id: 'BulkStart',
    description: 'Response of startBulkOnboarding (operation 7).',
  });

const bulkFailure = z
  .object({
    npn: npn.meta({ received: 'required', description: 'The NPN.' }),
    code: z.int().meta({ received: 'optional', description: 'The number in the error catalogue.' }),
    reason: z.string().meta({ received: 'optional', description: 'A sentence for people.' }),
  })
  .meta({ id: 'BulkFailure', description: 'The failure of one NPN.' });

const bulkStatus = z
  .object({
    id: z.uuid().describe('The UUID that startBulkOnboarding (operation 7) returned.'),
    message: z.string().describe('One sentence for people: try again shortly, or done.'),
    npns: z.array(npn).describe('All NPNs of the request, each once.'),
    failedNpns: z.array(npn).describe('The failed NPNs.'),
    totalCount: count.describe('The number of distinct NPNs in the request.'),
    successCount: count.meta({ received: 'required', description: 'The number of onboarded NPNs.' }),
    failureCount: count.meta({ received: 'required', description: 'The number of failed NPNs.' }),
    failureReason: z.array(bulkFailure).describe('One record per failed NPN.'),
  })
  .meta({
    id: 'BulkStatus',
    description:
      'Response of getBulkStatus (operation 8). While the job runs, only `totalCount` counts and the lists are empty.',
  });

const bulkDetails = z
  .object({
    id: z.uuid().describe('The UUID that startBulkOnboarding (operation 7) returned.'),
    message: z.string().describe('A sentence for people.'),
    ...page,
    pageSize: page.pageSize.describe('The number of producers on a full page.'),
    totalCount: count.describe(
      'The number of producers in the report, which is not the number of NPNs in the request.',
    ),
    details: z
      .array(producerDetail)
      .meta({ received: 'required', description: 'The producers of this page, in the order of the request.' }),
  })
  .meta({
    id: 'BulkDetails',
    description: 'Response of getBulkDetails (operation 6).',
  });

/** The responses of operations 6 to 8. */
export const bulkResponses = {
  getBulkDetails: bulkDetails,
  startBulkOnboarding: bulkStart,
  getBulkStatus: bulkStatus,
};
