// Made from the comments of contract/failures.ts: change them there.

/** What the interfaces of contract/failures.ts and their fields mean; `''` is the interface itself. */
export const failuresDescriptions = {
  ErrorBody: {
    '': 'The error body of every failure of every route.',
    code: 'Stable catalogue number: HTTP status × 100 + a running number. See `failures`.',
    details: 'The path of the offending field and what was expected; with 500, the id of the request.',
    errorMessage: 'One sentence for people.',
  },
} as const;
