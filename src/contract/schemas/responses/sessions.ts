import { z } from 'zod';
import { applicationStatuses, applicationSteps } from '../../index.js';
import { npn, slug, stateCodeSchema, timestamp, uri, zip } from '../values.js';

/** Unlike the address of a request, it may get further fields. */
const storedAddress = z
  .object({
    street: z.string().meta({ received: 'required', description: 'Street and number.' }),
    city: z.string().meta({ received: 'required', description: 'City or town.' }),
    state: stateCodeSchema.meta({ received: 'required', description: 'State code in upper case.' }),
    zip: zip.meta({ received: 'required', description: 'Five digits, or five, a dash and four.' }),
  })
  .meta({
    id: 'StoredAddress',
    tsType: 'ResidentialAddress',
    description: 'The home address of a user. All four parts are required and not empty.',
  });

const userLicensingProfile = z
  .object({
    userId: z.string().meta({ received: 'optional', description: "The partner's own id for the user." }),
    npn: npn.exactOptional().describe('National producer number without leading zeros.'),
    firstName: z.string().exactOptional().describe('Given name.'),
    lastName: z.string().exactOptional().describe('Family name.'),
    email: z.email().exactOptional().describe('E-mail address.'),
    phone: z.string().exactOptional().describe('Phone number as it was sent.'),
    dateOfBirth: z.iso.date().exactOptional().describe('A day as `YYYY-MM-DD`.'),
    residentialAddress: storedAddress.exactOptional().describe('Home address.'),
    updatedAt: timestamp.meta({ received: 'optional', description: 'The time of the last change, ISO 8601 in UTC.' }),
  })
  .meta({
    id: 'UserLicensingProfile',
    description:
      'Response of syncProfile (operation 17): the profile after the merge. Fields without a value are absent.',
  });

const session = z
  .object({
    sessionId: z.string().meta({ received: 'required', description: 'The id of the session.' }),
    applicationId: z
      .string()
      .meta({ received: 'required', description: 'The id that getApplication (operation 19) takes.' }),
    applicationUrl: z
      .string()
      .regex(/\/s\/[^/?#]+$/)
      .meta({
        format: 'uri',
        received: 'required',
        description: 'The URL for the user. Everyone with this link can act as the user: never log it.',
      }),
    expiresAt: timestamp.meta({
      received: 'optional',
      description: 'The time at which `applicationUrl` expires, ISO 8601 in UTC.',
    }),
    estimatedFees: z
      .object({
        total: z.number().min(0).meta({ received: 'required', description: 'US dollars with at most two decimals.' }),
      })
      .describe('State and processing fees.'),
    prefilled: z
      .object({
        npn: z.boolean().describe('Whether an NPN is known from syncProfile (operation 17).'),
        ssn: z
          .boolean()
          .describe('Whether the bridge has the SSN from an earlier application. Never because a partner sent it.'),
        backgroundQuestions: z
          .boolean()
          .describe('Whether the user submitted answers in this mode within the last 90 days.'),
      })
      .describe('The data that the user need not enter again.'),
  })
  .meta({ id: 'Session', description: 'Response of createSession (operation 18).' });

/** The progress of a user. */
export const progress = z
  .object({
    step: z
      .enum(['not_started', ...applicationSteps, 'submitted'])
      .meta({ received: 'required', description: 'The current step.' }),
    index: z.int().min(0).max(applicationSteps.length).meta({
      received: 'required',
      description: 'Counts from 1; 0 before the link was opened; `count` once submitted.',
    }),
    count: z
      .int()
      .min(1)
      .max(applicationSteps.length)
      .meta({ received: 'required', description: 'The number of steps: 6, or 5 without payment.' }),
  })
  .meta({ id: 'Progress', description: 'The progress of the user.' });

/** The status of a state. */
export const applicationStatus = z.enum(applicationStatuses).meta({
  id: 'ApplicationStatus',
  description:
    'The status of an application in one state. `pending_review` changes to one of the other three, ' +
    '`requires_action` back to `pending_review` or to `denied`. `approved` and `denied` are final for the API. In ' +
    'live mode an operator can correct a decision that was entered by mistake: the status is then ' +
    '`pending_review` or the other decision, with a later `updatedAt`.',
});

/** The issued license of an approval, as far as it was entered. */
export const issuedLicense = {
  licenseNumber: z
    .string()
    .exactOptional()
    .describe('The number of the license that an approval issued; absent when it was not entered.'),
  issuedOn: z.iso.date().exactOptional().describe('The day on which the license was issued, as `YYYY-MM-DD`.'),
  expiresOn: z.iso.date().exactOptional().describe('The day on which the license expires, as `YYYY-MM-DD`.'),
  lines: z
    .array(z.string())
    .exactOptional()
    .describe('The lines of authority of the license, such as `life`: ids of the catalogue.'),
};

const applicationState = z
  .object({
    state: stateCodeSchema.meta({ received: 'required', description: 'The state.' }),
    status: applicationStatus.meta({ received: 'required', description: 'Its latest status.' }),
    updatedAt: timestamp.describe(
      'The time of the status, ISO 8601 in UTC. Also moves on when one of the codes of `reason` begins or ends.',
    ),
    actionUrl: uri
      .exactOptional()
      .describe('The URL for the user, only while the status is `requires_action`. A capability: never log it.'),
    reason: z
      .string()
      .exactOptional()
      .describe(
        "The reason in the department's words; absent when it gave none. While the status is `pending_review`, one of " +
          'three codes with which the state does not review the application now: `not_filed`, it is not filed yet; ' +
          '`waits_for_fingerprints`, the department waits for the fingerprints of the user; `waits_for_correction`, the ' +
          'operator corrects what the department returned. Do not call it in review then. No webhook reports the codes.',
      ),
    ...issuedLicense,
  })
  .meta({ id: 'ApplicationState', description: 'The status of one state.' });

const application = z
  .object({
    applicationId: z.string().meta({ received: 'required', description: 'The id of the application.' }),
    sessionId: z.string().meta({ received: 'optional', description: 'Its newest session.' }),
    userId: z.string().meta({ received: 'optional', description: "The partner's own id for the user." }),
    applicationType: slug.meta({ received: 'optional', description: 'As in createSession (operation 18).' }),
    licenseType: slug.meta({ received: 'optional', description: 'As in createSession (operation 18).' }),
    submittedAt: timestamp.exactOptional().describe('The time of the submission, ISO 8601 in UTC; absent before.'),
    receiptNumber: z
      .string()
      .exactOptional()
      .describe('The short number on the receipt, such as `4F7K-22QP`; absent before the submission. Gives no access.'),
    progress: progress.meta({ received: 'optional', description: 'The progress of the user in the application.' }),
    states: z.array(applicationState).describe('The status of each state; empty until submitted.'),
  })
  .meta({
    id: 'Application',
    description: 'Response of getApplication (operation 19).',
  });

/** The responses of operations 17 to 19, and of the test helper. */
export const sessionResponses = {
  syncProfile: userLicensingProfile,
  createSession: session,
  getApplication: application,
  completeApplication: application,
  decideState: application,
};
