import { bulkDetailsPageSize, failures } from '../../../../contract/index.js';
import { exampleProducer } from './example-producer.js';
import type { EntriesOf } from './operation-entry.js';

const id = '3f0c8a52-6d1e-4b7a-9c25-0e8f4d2b1a60';
const finished = 'Bulk onboarding has finished.';

/** Operations 6 to 8. */
export const bulkEntries = {
  getBulkDetails: {
    tag: 'Bulk onboarding',
    description:
      'Fifty producers per page. While the job runs, the pages contain the producers onboarded so far. A page after ' +
      'the last one is empty, not an error. An id that is not a UUID is 400, an id of no job of the agency is 404.',
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
      'Accepts up to 10,000 NPNs; duplicates count once. If an NPN is malformed, the whole call is 400 and names ' +
      'the first ten of them. Read the status of the job by its id.',
    bodies: { 'Two producers': { npn: [9_000_000_001, '9000000003'], onboardType: 'subscribe' } },
    answer: 'The job was accepted.',
    answers: { started: { id, message: 'Bulk onboarding has started.' } },
  },

  getBulkStatus: {
    tag: 'Bulk onboarding',
    description:
      'While the job runs, `totalCount` is set, both other counts are 0, and the lists are empty. The message asks ' +
      'to try again shortly. At the end the message says that the job is done. An id that is not a UUID is 400, an ' +
      'id of no job of the agency is 404.',
    answer: 'The status of the job.',
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
