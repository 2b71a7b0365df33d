import { z } from 'zod';
import {
  applicationStatuses,
  applicationSteps,
  stateCodes,
  type Application,
  type ApplicationState,
  type CreateSessionRequest,
  type DecideStateRequest,
  type LicensingProfile,
  type Progress,
  type ResidentialAddress,
  type Session,
  type UserLicensingProfile,
} from '../../../contract/index.js';
import {
  emailSchema,
  npnSchema,
  partnerUrlSchema,
  phoneSchema,
  plainText,
  stateCodeSchema,
} from '../../domain/values/values.js';
import type { EntriesOf } from './operation-entry.js';
import { npn, timestamp, uri } from './values.js';
import { characters } from '../../domain/limits/limits.js';

const dayError = 'expected a day as YYYY-MM-DD, or null';
const day = z.iso.date({ error: dayError }).refine((text) => text >= '1900-01-01', { error: dayError });

const zipError = 'expected five digits, or five and four';
const zip = z
  .string({ error: zipError })
  .regex(/^[0-9]{5}(-[0-9]{4})?$/, { error: zipError })
  .meta({ id: 'Zip', description: 'Five digits, or five and four.' });

const residentialAddress = z
  .strictObject({
    street: plainText(characters.street.max),
    city: plainText(characters.name.max),
    state: stateCodeSchema,
    zip,
  })
  .meta({ id: 'ResidentialAddress' }) satisfies z.ZodType<ResidentialAddress>;

const licensingProfile = z
  .strictObject({
    npn: npnSchema.nullable().exactOptional(),
    firstName: plainText(characters.name.max).nullable().exactOptional(),
    lastName: plainText(characters.name.max).nullable().exactOptional(),
    email: emailSchema.nullable().exactOptional(),
    phone: phoneSchema.nullable().exactOptional(),
    dateOfBirth: day.nullable().exactOptional(),
    residentialAddress: residentialAddress.nullable().exactOptional(),
  })
  .meta({ id: 'LicensingProfile' }) satisfies z.ZodType<LicensingProfile>;

/** Unlike the address of a request, it may get further fields. */
const storedAddress = z
  .object({ street: z.string(), city: z.string(), state: stateCodeSchema, zip })
  .meta({ id: 'StoredAddress' }) satisfies z.ZodType<ResidentialAddress>;

const userLicensingProfile = z
  .object({
    userId: z.string(),
    npn: npn.exactOptional(),
    firstName: z.string().exactOptional(),
    lastName: z.string().exactOptional(),
    email: z.email().exactOptional(),
    phone: z.string().exactOptional(),
    dateOfBirth: z.iso.date().exactOptional(),
    residentialAddress: storedAddress.exactOptional(),
    updatedAt: timestamp,
  })
  .meta({ id: 'UserLicensingProfile' }) satisfies z.ZodType<UserLicensingProfile>;

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
    userId: plainText(characters.id.max),
    applicationType: slug,
    licenseType: slug,
    states: z
      .array(stateCodeSchema, { error: statesError })
      .min(1, { error: statesError })
      .max(stateCodes.length, { error: statesError })
      .refine((codes) => new Set(codes).size === codes.length, { error: statesError })
      .meta({ uniqueItems: true }),
    paymentMethod: z
      .enum(['user_pays', 'partner_billing'], { error: 'expected user_pays or partner_billing' })
      .meta({ default: 'user_pays' })
      .exactOptional(),
    returnUrl: partnerUrlSchema,
    webhookUrl: partnerUrlSchema.exactOptional(),
  })
  .meta({ id: 'CreateSessionRequest' }) satisfies z.ZodType<CreateSessionRequest>;

const session = z
  .object({
    sessionId: z.string(),
    applicationId: z.string(),
    applicationUrl: z
      .string()
      .regex(/\/s\/[^/?#]+$/)
      .meta({ format: 'uri' }),
    expiresAt: timestamp,
    estimatedFees: z.object({ total: z.number().min(0) }),
    prefilled: z.object({ npn: z.boolean(), ssn: z.boolean(), backgroundQuestions: z.boolean() }),
  })
  .meta({ id: 'Session' }) satisfies z.ZodType<Session>;

/** The progress of a user. */
export const progress = z
  .object({
    step: z.enum(['not_started', ...applicationSteps, 'submitted']),
    index: z.int().min(0).max(applicationSteps.length),
    count: z.int().min(1).max(applicationSteps.length),
  })
  .meta({ id: 'Progress' }) satisfies z.ZodType<Progress>;

/** The status of a state. */
export const applicationStatus = z.enum(applicationStatuses).meta({
  id: 'ApplicationStatus',
  description:
    'Where an application stands in one state. From `pending_review` it moves to one of the other three, from ' +
    '`requires_action` back to `pending_review` or to `denied`. `approved` and `denied` are final.',
});

const applicationState = z
  .object({
    state: stateCodeSchema,
    status: applicationStatus,
    updatedAt: timestamp,
    actionUrl: uri.exactOptional(),
    reason: z.string().exactOptional(),
  })
  .meta({ id: 'ApplicationState' }) satisfies z.ZodType<ApplicationState>;

const application = z
  .object({
    applicationId: z.string(),
    sessionId: z.string(),
    userId: z.string(),
    applicationType: slug,
    licenseType: slug,
    submittedAt: timestamp.exactOptional(),
    progress,
    states: z.array(applicationState),
  })
  .meta({ id: 'Application' }) satisfies z.ZodType<Application>;

const decideStateRequest = z
  .strictObject({
    status: z.enum(applicationStatuses, { error: `expected one of ${applicationStatuses.join(', ')}` }),
    reason: plainText(characters.reason.max).exactOptional(),
  })
  .meta({ id: 'DecideStateRequest' }) satisfies z.ZodType<DecideStateRequest>;

const exampleApplication: Application = {
  applicationId: 'app_9c8b7a6d',
  sessionId: 'ses_4e5f6a7b',
  userId: 'usr_abc123',
  applicationType: 'new',
  licenseType: 'life_health',
  submittedAt: '2026-03-02T12:00:00.000Z',
  progress: { step: 'submitted', index: 6, count: 6 },
  states: [
    { state: 'TX', status: 'approved', updatedAt: '2026-03-04T08:00:00.000Z' },
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

/** Operations 17 to 19, and the test helper. */
export const sessionEntries = {
  syncProfile: {
    tag: 'Sessions',
    description:
      'Merges the given fields into what is stored for the user, for use in later applications, and creates the user where ' +
      'there is none yet. Null removes a field. SSNs and answers to background questions are refused: the user enters them ' +
      'on the hosted page only. 403 means that the agency is deactivated.',
    body: licensingProfile,
    bodies: {
      'Everything that is known': exampleProfile,
      'One field changes, one goes': { email: 'avery@example.com', phone: null },
    },
    response: userLicensingProfile,
    answer: 'The profile after the merge.',
    answers: { profile: { userId: 'usr_abc123', ...exampleProfile, updatedAt: '2026-03-02T11:00:00.000Z' } },
  },

  createSession: {
    tag: 'Sessions',
    description:
      'Send the user to the returned `applicationUrl`. The link works until `expiresAt`, by default for 24 hours, as often ' +
      'as needed until the application is submitted. The user comes back to `returnUrl`, which then has `status` added to ' +
      'its query: `submitted`, `cancelled` when the user left on purpose, or `expired` when the link was dead. An application ' +
      'outlives its session: when the user has begun one for the same type, license, states and payment method, has not ' +
      'submitted it, and its session has ended or is in its last minutes, the answer is another session of that application, ' +
      'with a link of its own and the `returnUrl` and `webhookUrl` of this request. The link before works until its own end. ' +
      'SSNs and answers to background questions are refused. 403 means that the agency is deactivated.',
    body: createSessionRequest,
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
    response: session,
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
      '`sessions` is no application id: `GET /v1/applications/sessions` is 405. 403 means that the agency is deactivated.',
    response: application,
    answer: 'The application.',
    answers: { 'Submitted, two states': exampleApplication },
  },

  decideState: {
    tag: 'Test helpers',
    description:
      'Lets the simulated department of one state decide, and sends the webhooks that follow. A move that the transitions ' +
      'forbid is 400. A live token is answered as if the address did not exist.',
    body: decideStateRequest,
    bodies: {
      'Ask for a document': { status: 'requires_action', reason: 'The department asks for a copy of a document.' },
    },
    response: application,
    answer: 'The application after the decision.',
    answers: { 'Submitted, two states': exampleApplication },
  },
} satisfies EntriesOf<'syncProfile' | 'createSession' | 'getApplication' | 'decideState'>;
