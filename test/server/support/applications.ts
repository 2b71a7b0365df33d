/** An application that has just been submitted. */
export const submitted = {
  progress: { step: 'submitted', index: 6, count: 6 },
  submittedAt: '2026-11-20T12:00:00.000Z',
  states: [
    { state: 'TX', status: 'pending_review', updatedAt: '2026-11-20T12:00:00.000Z' },
    { state: 'CA', status: 'pending_review', updatedAt: '2026-11-20T12:00:00.000Z' },
  ],
};

/** The same, decided by both states. */
export const approved = {
  ...submitted,
  states: submitted.states.map((state) => ({ ...state, status: 'approved', updatedAt: '2026-11-20T13:00:00.000Z' })),
};
