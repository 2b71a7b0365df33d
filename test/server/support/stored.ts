import type { AcknowledgedDelivery, ApplicationLink, Fact, StoredState } from '../../../src/server/index.js';

/** The link of an application. */
export const link = (number: number, userId = 'usr_1'): ApplicationLink => ({
  applicationId: `app_${String(number)}`,
  sessionId: `ses_${String(number)}`,
  userId,
  reference: `ref_${String(number)}`,
  applicationUrl: `https://apply.example/s/${String(number)}`,
  returnState: 'state',
  applicationType: 'new',
  licenseType: 'life',
  states: ['TX'],
  estimatedFees: { total: 1.5 },
  createdAt: new Date(Date.UTC(2026, 10, 20, 12, 0, number)).toISOString(),
});

/** A state of the first application. */
export const state = (version: number): StoredState => ({
  version,
  application: {
    applicationId: 'app_1',
    sessionId: 'ses_1',
    userId: 'usr_1',
    applicationType: 'new',
    licenseType: 'life',
    progress: { step: 'profile', index: version, count: 6 },
    states: [],
  },
});

/** A delivery. */
export const delivery = (id: string): AcknowledgedDelivery => ({
  id,
  type: 'application.submitted',
  receivedAt: '2026-11-20T12:00:00.000Z',
});

/** A fact of the first application. */
export const fact = (number: number): Fact => ({
  listener: 'submitted',
  fact: {
    factId: `app_1.1.${String(number)}`,
    applicationId: 'app_1',
    sessionId: 'ses_1',
    userId: 'usr_1',
    submittedAt: `"quotes", ünïcödé | pipes, nul \u0000, half a \ud83d character ${String(number)}`,
  },
});
