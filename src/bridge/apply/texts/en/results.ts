/** The pages after the submission and of dead links, in English. */
export const results = {
  receipt: {
    title: 'Application submitted',
    lead: 'We have sent your application to each state below.',
    number: 'Application number',
    submittedAt: 'Submitted',
    signedBy: 'Signed by',
    fees: 'Fees',
    states: 'Status of each state',
    nextTitle: 'What happens next',
    next: [
      'Each department looks at your application and decides on its own. Most take a few days.',
      'The site that you came from shows every decision as it comes, and tells you if a state needs something from you.',
      'Keep this page for your records. It stays here for you.',
    ],
    done: (agency: string) => `Return to ${agency}`,
    print: 'Print this page',
    refresh: 'Look for news',
    act: (state: string) => `Answer ${state}`,
  },
  action: {
    title: (state: string) => `${state} needs something from you`,
    lead: 'Your application waits until you have answered. It then goes straight back to the department.',
    reasonTitle: 'What the department says',
    noReason:
      'The department gave no details. Confirm that your application is still complete, or tell it what has changed.',
    why: 'The department cannot decide without it.',
    who: (state: string) => `The insurance department of ${state}. No page shows your answer again.`,
    answer: 'Your answer',
    answerHint: 'A few plain sentences. Don’t write your SSN here.',
    confirm: 'What I have written is true and complete.',
    send: (state: string) => `Send to ${state}`,
    sending: 'Sending…',
    sentTitle: 'Your answer was sent',
    sent: (state: string) =>
      `${state} has it and goes on with your application. There is nothing more to do here; this link has done its work.`,
    statusNow: (status: string) => `Status now: ${status}.`,
  },
  leaving: {
    title: (agency: string) => `Returning to ${agency}`,
    lead: 'If nothing happens, go on yourself.',
  },
  missing: {
    title: 'This link doesn’t work',
    lead: 'It may be incomplete, too old, or it may have done its work already.',
    todo: 'Go back to the site that you came from and open your application from there. If you copied the link, check that you copied all of it.',
  },
  stopped: {
    title: 'This link no longer works',
    lead: (agency: string) =>
      `Applications through ${agency} have been stopped. Nothing more can be entered or sent here.`,
    todo: (agency: string) => `Ask ${agency} what to do next.`,
    back: (agency: string) => `Return to ${agency}`,
  },
  wait: {
    title: 'Too many requests',
    lead: 'Too many pages were opened from your network. Wait a minute, then try again.',
    kept: 'Everything that you saved before this page is kept.',
  },
  problem: {
    title: 'Something went wrong on our side',
    lead: 'Everything that you saved before this page is kept. Try again in a moment.',
    again: 'Try again',
    reference: 'If it happens again, tell us this reference:',
    refusedTitle: 'We could not accept this',
    refused:
      'The form did not come from a page of this application, or was too large. Nothing of it was saved; everything before is kept.',
    openAgain: 'Open the page again',
  },
};
