// Made from the comments of contract/bulk.ts: change them there.

/** What the interfaces of contract/bulk.ts and their fields mean; `''` is the interface itself. */
export const bulkDescriptions = {
  BulkOnboardRequest: {
    '': 'Body of operation 7.',
    npn: '1–10,000 national producer numbers, as texts or numbers; duplicates count once.',
    onboardType: 'What to do with each.',
  },
  BulkStart: {
    '': 'Answer of operation 7.',
    id: 'A UUID, which operations 6 and 8 take.',
    message: 'One sentence for people.',
  },
  BulkStatus: {
    '': 'Answer of operation 8. While the job runs, only `totalCount` counts and the lists are empty.',
    id: 'The UUID that operation 7 answered.',
    message: 'One sentence for people: try again shortly, or done.',
    npns: 'All NPNs of the request, each once.',
    failedNpns: 'Those that failed.',
    totalCount: 'How many NPNs the request had, each once.',
    successCount: 'How many were onboarded.',
    failureCount: 'How many failed.',
    failureReason: 'One record for each that failed.',
  },
  BulkFailure: {
    '': 'Why one NPN failed.',
    npn: 'Which one.',
    code: 'Number of the error catalogue.',
    reason: 'One sentence for people.',
  },
  BulkDetailsQuery: { '': 'Query of operation 6.', page: 'From 1. Default: 1.' },
  BulkDetails: {
    '': 'Answer of operation 6.',
    id: 'The UUID that operation 7 answered.',
    message: 'One sentence for people.',
    currentPage: 'The page asked for.',
    pageSize: 'Producers on a full page.',
    totalCount: 'Producers in the report, which are not the NPNs of the request.',
    hasNextPage: 'Whether there is a page after this one.',
    hasPreviousPage: 'Whether there is a page before this one.',
    details: 'The producers of this page, in the order of the request.',
  },
} as const;
