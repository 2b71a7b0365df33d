/** An application that is under way in one state, as operation 19 answers it. */
export function applicationText(applicationId: string): string {
  return JSON.stringify({
    applicationId,
    sessionId: `ses_${applicationId}`,
    userId: 'usr_bench',
    applicationType: 'new',
    licenseType: 'life_health',
    submittedAt: '2026-11-20T12:00:00.000Z',
    progress: { step: 'submitted', index: 6, count: 6 },
    states: [
      { state: 'TX', status: 'pending_review', updatedAt: '2026-11-20T12:00:01.000Z' },
      { state: 'CA', status: 'pending_review', updatedAt: '2026-11-20T12:00:01.000Z' },
    ],
  });
}

/** A webhook about it, as the bridge sends it. */
export function webhookText(id: string, applicationId: string): string {
  return JSON.stringify({
    id,
    type: 'application.status_changed',
    createdAt: '2026-11-20T12:00:01.000Z',
    data: {
      applicationId,
      sessionId: `ses_${applicationId}`,
      userId: 'usr_bench',
      states: [{ state: 'TX', status: 'pending_review' }],
    },
  });
}
