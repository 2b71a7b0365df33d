import type { Application } from '../../../../contract/index.js';
import type { EntriesOf } from './operation-entry.js';

const exampleApplication: Application = {
  applicationId: 'app_9c8b7a6d',
  sessionId: 'ses_4e5f6a7b',
  userId: 'usr_abc123',
  applicationType: 'new',
  licenseType: 'life_health',
  submittedAt: '2026-03-02T12:00:00.000Z',
  receiptNumber: '4F7K-22QP',
  progress: { step: 'submitted', index: 6, count: 6 },
  states: [
    {
      state: 'TX',
      status: 'approved',
      updatedAt: '2026-03-04T08:00:00.000Z',
      licenseNumber: '1234567',
      issuedOn: '2026-03-04',
      expiresOn: '2028-03-31',
      lines: ['life', 'accident_health'],
    },
    {
      state: 'CA',
      status: 'requires_action',
      updatedAt: '2026-03-04T08:30:00.000Z',
      actionUrl: 'https://apply.example.com/a/example-action-token',
      reason: 'The department asks for a copy of a document.',
    },
  ],
};

const exampleProfile = {
  npn: '9000000001',
  firstName: 'Avery',
  lastName: 'Sample',
  email: 'avery.sample@example.com',
  phone: '512-555-0142',
  dateOfBirth: '1988-04-12',
  residentialAddress: { street: '100 Example Street', city: 'Sampleton', state: 'TX' as const, zip: '75001' },
};

/** Operations 17 to 19, and the test helpers. */
export const sessionEntries = {
  syncProfile: {
    tag: 'Sessions',
    description:
      'Merges the given fields into the stored profile of the user, which later applications use. Creates the user ' +
      'at the first call. Null removes a field. SSNs and answers to background questions are rejected: users enter ' +
      'them in the hosted application only. 403: the agency is deactivated.',
    bodies: {
      'The whole profile': exampleProfile,
      'One changed field and one removed field': { email: 'avery@example.com', phone: null },
    },
    answer: 'The merged profile.',
    answers: { profile: { userId: 'usr_abc123', ...exampleProfile, updatedAt: '2026-03-02T11:00:00.000Z' } },
  },

  createSession: {
    tag: 'Sessions',
    description:
      'Send the user to the returned `applicationUrl`. The link works until `expiresAt`, by default for 24 hours, ' +
      'any number of times until the application is submitted. The user returns to `returnUrl`, with `status` added ' +
      'to its query: `submitted`, `cancelled` if the user left, or `expired` if the link had expired. If the user ' +
      'has an application of the same type, license and states that is not submitted, the session resumes that ' +
      'application. It has a separate link, and the `returnUrl` and `webhookUrl` of this request. The `paymentMethod` ' +
      'of this request replaces the previous one, unless there is a payment. The previous link works until it ' +
      'expires. SSNs and answers to background questions are rejected. 403: the agency is deactivated.',
    bodies: {
      'Two states': {
        userId: 'usr_abc123',
        applicationType: 'new',
        licenseType: 'life_health',
        states: ['TX', 'CA'],
        paymentMethod: 'user_pays',
        returnUrl: 'https://app.example.com/licensing/done',
        webhookUrl: 'https://hooks.example.com/licensing',
      },
    },
    answer: 'The session.',
    answers: {
      session: {
        sessionId: 'ses_4e5f6a7b',
        applicationId: 'app_9c8b7a6d',
        applicationUrl: 'https://apply.example.com/s/example-session-token',
        expiresAt: '2026-03-03T11:20:00.000Z',
        estimatedFees: { total: 238.5 },
        prefilled: { npn: true, ssn: false, backgroundQuestions: false },
      },
    },
  },

  getApplication: {
    tag: 'Sessions',
    description:
      '`sessions` is not an application id: `GET /v1/applications/sessions` is 405. 403: the agency is deactivated.',
    answer: 'The application.',
    answers: { 'Submitted, two states': exampleApplication },
  },

  completeApplication: {
    tag: 'Test helpers',
    description:
      'Does what a user does in the hosted application. It fills in the synced profile and sample data, and answers ' +
      'every background question with no. It signs, pays with the accepted test card and submits. Sends the same webhooks. ' +
      'An application that is submitted, or whose link has expired, is 400. With a live token, the path does not exist.',
    bodies: {
      'Every state asks for a document': { outcome: 'requires_action' },
      'Every state approves after three seconds': {},
    },
    answer: 'The application after the submission.',
    answers: { 'Submitted, two states': exampleApplication },
  },

  decideState: {
    tag: 'Test helpers',
    description:
      'Sets the decision of the simulated department of one state, and sends the webhooks of the change. A status ' +
      'that cannot follow the current one is 400. With a live token, the path does not exist.',
    bodies: {
      'Approve with the license': {
        status: 'approved',
        licenseNumber: '1234567',
        issuedOn: '2026-03-04',
        expiresOn: '2028-03-31',
        lines: ['life', 'accident_health'],
      },
      'Ask for a document': { status: 'requires_action', reason: 'The department asks for a copy of a document.' },
    },
    answer: 'The application after the decision.',
    answers: { 'Submitted, two states': exampleApplication },
  },
} satisfies EntriesOf<'syncProfile' | 'createSession' | 'getApplication' | 'completeApplication' | 'decideState'>;
