import { z } from 'zod';
import { applicationStatuses, applicationSteps, paymentMethods, stateCodes, textLimits } from '../index.js';
import {
  emailSchema,
  npn,
  npnSchema,
  partnerUrlSchema,
  phoneSchema,
  plainText,
  stateCodeSchema,
  timestamp,
  uri,
} from './values.js';

const dayError = 'expected a day as YYYY-MM-DD, or null';
const day = z.iso.date({ error: dayError }).refine((text) => text >= '1900-01-01', { error: dayError });

const zipError = 'expected five digits, or five and four';
const zip = z
  .string({ error: zipError })
  .regex(/^[0-9]{5}(-[0-9]{4})?$/, { error: zipError })
  .meta({ id: 'Zip', description: 'Five digits, or five and four.' });

const residentialAddress = z
  .strictObject({
    street: plainText(textLimits.street.max).describe('Street and number.'),
    city: plainText(textLimits.name.max).describe('City or town.'),
    state: stateCodeSchema.describe('State code in upper case.'),
    zip: zip.describe('Five digits, or five, a dash and four.'),
  })
  .meta({
    id: 'ResidentialAddress',
    description: 'The home address of a user. All four parts are required and not empty.',
  });

const licensingProfile = z
  .strictObject({
    npn: npnSchema
      .nullable()
      .exactOptional()
      .describe('National producer number, 1–10 digits. Numbers are accepted, leading zeros dropped.'),
    firstName: plainText(textLimits.name.max).nullable().exactOptional().describe('Given name.'),
    lastName: plainText(textLimits.name.max).nullable().exactOptional().describe('Family name.'),
    email: emailSchema.nullable().exactOptional().describe('E-mail address.'),
    phone: phoneSchema.nullable().exactOptional().describe('Phone number, in any usual form.'),
    dateOfBirth: day.nullable().exactOptional().describe('A day as `YYYY-MM-DD`, from 1900 on and not in the future.'),
    residentialAddress: residentialAddress.nullable().exactOptional().describe('Home address.'),
  })
  .meta({
    id: 'LicensingProfile',
    description:
      "Body of `syncProfile` (operation 17): the partner's data about a user. A field that is absent keeps its value, `null` removes it, `residentialAddress` is replaced as a whole. SSNs and answers are refused: they are typed in the hosted application only.",
  });

/** Unlike the address of a request, it may get further fields. */
const storedAddress = z
  .object({
    street: z.string().describe('Street and number.'),
    city: z.string().describe('City or town.'),
    state: stateCodeSchema.describe('State code in upper case.'),
    zip: zip.describe('Five digits, or five, a dash and four.'),
  })
  .meta({
    id: 'StoredAddress',
    tsType: 'ResidentialAddress',
    description: 'The home address of a user. All four parts are required and not empty.',
  });

const userLicensingProfile = z
  .object({
    userId: z.string().describe("The partner's own id for the user."),
    npn: npn.exactOptional().describe('National producer number without leading zeros.'),
    firstName: z.string().exactOptional().describe('Given name.'),
    lastName: z.string().exactOptional().describe('Family name.'),
    email: z.email().exactOptional().describe('E-mail address.'),
    phone: z.string().exactOptional().describe('Phone number as it was sent.'),
    dateOfBirth: z.iso.date().exactOptional().describe('A day as `YYYY-MM-DD`.'),
    residentialAddress: storedAddress.exactOptional().describe('Home address.'),
    updatedAt: timestamp.describe('The time of the last change, ISO 8601 in UTC.'),
  })
  .meta({
    id: 'UserLicensingProfile',
    description:
      'Response of syncProfile (operation 17): the profile after the merge. Fields without a value are absent.',
  });

const slugError = 'expected a lower-case word such as life_health';
const slug = z
  .string({ error: slugError })
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, { error: slugError })
  .meta({
    id: 'Slug',
    description: 'A lower-case word such as `new` or `life_health`. The set of values is not closed.',
  });

const statesError = `expected 1 to ${String(stateCodes.length)} state codes, each once`;

const createSessionRequest = z
  .strictObject({
    userId: plainText(textLimits.id.max).describe(
      "The partner's own id for the user, as in syncProfile (operation 17). One that syncProfile (operation 17) never saw is accepted.",
    ),
    applicationType: slug.describe('The type of the application, a lower-case slug such as `new`.'),
    licenseType: slug.describe('The license type, a lower-case slug such as `life_health`.'),
    states: z
      .array(stateCodeSchema, { error: statesError })
      .min(1, { error: statesError })
      .max(stateCodes.length, { error: statesError })
      .refine((codes) => new Set(codes).size === codes.length, { error: statesError })
      .meta({ uniqueItems: true })
      .describe('1–56 distinct state codes in upper case.'),
    paymentMethod: z
      .enum(paymentMethods, { error: 'expected user_pays or partner_billing' })
      .meta({ default: 'user_pays' })
      .exactOptional()
      .describe('Default: `user_pays`.'),
    returnUrl: partnerUrlSchema.describe(
      'The URL of the return, with `status` added to the query. https, or http on localhost in test mode.',
    ),
    webhookUrl: partnerUrlSchema
      .exactOptional()
      .describe("The URL for webhooks of this session. Default: the account's URL."),
  })
  .meta({
    id: 'CreateSessionRequest',
    description: 'Body of createSession (operation 18).',
  });

const session = z
  .object({
    sessionId: z.string().describe('The id of the session.'),
    applicationId: z.string().describe('The id that getApplication (operation 19) takes.'),
    applicationUrl: z
      .string()
      .regex(/\/s\/[^/?#]+$/)
      .meta({ format: 'uri' })
      .describe('The URL for the user. Everyone with this link can act as the user: never log it.'),
    expiresAt: timestamp.describe('When `applicationUrl` stops working, ISO 8601 in UTC.'),
    estimatedFees: z
      .object({ total: z.number().min(0).describe('US dollars with at most two decimals.') })
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
    step: z.enum(['not_started', ...applicationSteps, 'submitted']).describe('The current step.'),
    index: z
      .int()
      .min(0)
      .max(applicationSteps.length)
      .describe('Counts from 1; 0 before the link was opened; `count` once submitted.'),
    count: z.int().min(1).max(applicationSteps.length).describe('The number of steps: 6, or 5 without payment.'),
  })
  .meta({ id: 'Progress', description: 'The progress of the user.' });

/** The status of a state. */
export const applicationStatus = z.enum(applicationStatuses).meta({
  id: 'ApplicationStatus',
  description:
    'Where an application stands in one state. From `pending_review` it moves to one of the other three, from ' +
    '`requires_action` back to `pending_review` or to `denied`. `approved` and `denied` are final.',
});

const applicationState = z
  .object({
    state: stateCodeSchema.describe('The state.'),
    status: applicationStatus.describe('Its latest status.'),
    updatedAt: timestamp.describe('The time of the status, ISO 8601 in UTC.'),
    actionUrl: uri
      .exactOptional()
      .describe('The URL for the user, only while the status is `requires_action`. A capability: never log it.'),
    reason: z.string().exactOptional().describe("The reason in the department's words; absent when it gave none."),
  })
  .meta({ id: 'ApplicationState', description: 'The status of one state.' });

const application = z
  .object({
    applicationId: z.string().describe('The id of the application.'),
    sessionId: z.string().describe('Its newest session.'),
    userId: z.string().describe("The partner's own id for the user."),
    applicationType: slug.describe('As in createSession (operation 18).'),
    licenseType: slug.describe('As in createSession (operation 18).'),
    submittedAt: timestamp.exactOptional().describe('The time of the submission, ISO 8601 in UTC; absent before.'),
    progress: progress.describe('The progress of the user in the application.'),
    states: z.array(applicationState).describe('The status of each state; empty until submitted.'),
  })
  .meta({
    id: 'Application',
    description: 'Response of getApplication (operation 19).',
  });

const decideStateRequest = z
  .strictObject({
    status: z
      .enum(applicationStatuses, { error: `expected one of ${applicationStatuses.join(', ')}` })
      .describe('The new status.'),
    reason: plainText(textLimits.reason.max)
      .exactOptional()
      .describe('The reason, shown to the user with `requires_action`.'),
  })
  .meta({
    id: 'DecideStateRequest',
    description: 'Body of the test helper operation: the simulated department decides.',
  });

/** The requests and responses of operations 17 to 19, and of the test helper. */
export const sessionSchemas = {
  syncProfile: { body: licensingProfile, response: userLicensingProfile },
  createSession: { body: createSessionRequest, response: session },
  getApplication: { response: application },
  decideState: { body: decideStateRequest, response: application },
};
