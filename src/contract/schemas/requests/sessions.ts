import { z } from 'zod';
import { applicationStatuses, paymentMethods, stateCodes, textLimits } from '../../index.js';
import { slug, stateCodeSchema, zip } from '../values.js';
import { emailSchema, npnSchema, partnerUrlSchema, phoneSchema, plainText } from './values.js';

const dayError = 'expected a day as YYYY-MM-DD, or null';
const day = z.iso.date({ error: dayError }).refine((text) => text >= '1900-01-01', { error: dayError });

const decidedDay = z.iso.date({ error: 'expected a day as YYYY-MM-DD' });

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

/** The body of syncProfile (operation 17). */
export const licensingProfile = z
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

const statesError = `expected 1 to ${stateCodes.length} state codes, each once`;

/** The body of createSession (operation 18). */
export const createSessionRequest = z
  .strictObject({
    userId: plainText(textLimits.id.max).describe(
      "The partner's own id for the user, as in syncProfile (operation 17). One that syncProfile (operation 17) never saw is accepted.",
    ),
    applicationType: slug.describe(
      'The type of the application: `new`, `renewal`, `reinstatement` or `amendment`. Another is 400.',
    ),
    licenseType: slug.describe(
      'The license type, a lower-case slug of the catalogue such as `life_health`. Another is 400, and `details` has all.',
    ),
    states: z
      .array(stateCodeSchema, { error: statesError })
      .min(1, { error: statesError })
      .max(stateCodes.length, { error: statesError })
      .refine((codes) => new Set(codes).size === codes.length, { error: statesError })
      .meta({ uniqueItems: true })
      .describe('1–56 distinct state codes in upper case. The user can leave some out before the signature.'),
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

const completeApplicationRequest = z
  .strictObject({
    outcome: z
      .enum(applicationStatuses, { error: `expected one of ${applicationStatuses.join(', ')}` })
      .exactOptional()
      .describe(
        'The first decision of the simulated departments, at once. After `requires_action`, the answer of the user ' +
          'is approved. Default: each approves after three seconds.',
      ),
  })
  .meta({
    id: 'CompleteApplicationRequest',
    description: 'Body of the test helper operation: the application is completed with sample data.',
  });

const lineError = `expected up to ${textLimits.linesOfDecision.max} lines of authority, each once`;

const decideStateRequest = z
  .strictObject({
    status: z
      .enum(applicationStatuses, { error: `expected one of ${applicationStatuses.join(', ')}` })
      .describe('The new status.'),
    reason: plainText(textLimits.reason.max)
      .exactOptional()
      .describe('The reason, shown to the user with `requires_action`.'),
    licenseNumber: plainText(textLimits.licenseNumber.max)
      .exactOptional()
      .describe('The number of the issued license, with `approved`.'),
    issuedOn: decidedDay.exactOptional().describe('The day of its issue as `YYYY-MM-DD`, not in the future.'),
    expiresOn: decidedDay.exactOptional().describe('The day on which it expires, not before `issuedOn`.'),
    lines: z
      .array(slug, { error: lineError })
      .max(textLimits.linesOfDecision.max, { error: lineError })
      .refine((lines) => new Set(lines).size === lines.length, { error: lineError })
      .exactOptional()
      .describe('Its lines of authority, such as `life`: those of the state for the license type.'),
  })
  .meta({
    id: 'DecideStateRequest',
    description: 'Body of the test helper operation: the simulated department decides.',
  });

/** The requests of operations 17 to 19, and of the test helpers. */
export const sessionRequests = {
  syncProfile: { body: licensingProfile },
  createSession: { body: createSessionRequest },
  completeApplication: { body: completeApplicationRequest },
  decideState: { body: decideStateRequest },
};
