/** The words of filings, a part of `texts.ts`. */
export const workTexts = {
  filings: {
    title: 'Filing queue',
    state: 'State',
    application: 'Application',
    agency: 'Agency',
    since: 'Waits since',
    status: 'Status',
    by: 'With',
    open: 'To be filed',
    statuses: { waiting: 'Waiting', claimed: 'Claimed', filed: 'Filed', answered: 'Decided' },
    empty: 'Nothing is to be filed.',
  },
  filing: {
    title: (state: string) => `Filing with ${state}`,
    claim: 'Claim it',
    release: 'Give it back',
    markTitle: 'Enter that it is filed',
    reference: 'Reference of the state',
    referenceHint: 'What the department calls this filing, such as its tracking number.',
    referenceWrong: 'Write the reference of the state, at most 100 characters.',
    mark: 'It is filed',
    filedAt: 'Filed',
    problem: 'Last problem',
    moved: {
      title: 'Not changed',
      lead: 'Somebody else has this filing, or it was filed meanwhile. Open the queue and check.',
    },
  },
} as const;
