import type { WebhookPath } from './partner.js';

/**
 * A submitted application as getApplication (operation 19) returns it. A host may leave out the
 * user.
 */
export function applicationText(applicationId: string, userId?: string): string {
  return JSON.stringify({
    applicationId,
    sessionId: `ses_${applicationId}`,
    userId,
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
export function webhookText(id: string, { applicationId, userId }: WebhookPath): string {
  return JSON.stringify({
    id,
    type: 'application.status_changed',
    createdAt: '2026-11-20T12:00:01.000Z',
    data: {
      applicationId,
      sessionId: `ses_${applicationId}`,
      userId,
      states: [{ state: 'TX', status: 'pending_review' }],
    },
  });
}
