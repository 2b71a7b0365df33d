import { z } from 'zod';
import {
  paymentMethods,
  stateCodes,
  type LicensingUser,
  type PartnerSessionRequest,
  type SessionOptions,
} from '../index.js';
import { httpUrl } from './lenient-values.js';

const filled = z.string().min(1);
const state = z.enum(stateCodes);

/** The body that the element posts to `session-url`. Unknown fields are ignored. */
export const partnerSessionRequestSchema = z.object({
  reason: z.enum(['open', 'resume', 'expired']),
  returnState: z.string().regex(/^[\w-]{22,64}$/),
  applicationId: z
    .string()
    .regex(/^.{1,200}$/)
    .exactOptional(),
  states: z.array(state).min(1).max(stateCodes.length).exactOptional(),
}) satisfies z.ZodType<PartnerSessionRequest>;

/** An object of the partner's code, where a field that is `undefined` counts as absent. */
function given<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => {
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
  }, schema);
}

const maybeText = z.string().nullable().exactOptional();

/**
 * A profile as the partner has it. Unknown keys are wrong here already: the bridge would refuse
 * them.
 */
const profile = given(
  z.strictObject({
    npn: z.union([z.string(), z.number()]).nullable().exactOptional(),
    firstName: maybeText,
    lastName: maybeText,
    email: maybeText,
    phone: maybeText,
    dateOfBirth: maybeText,
    residentialAddress: z.strictObject({ street: filled, city: filled, state, zip: filled }).nullable().exactOptional(),
  }),
);

/** The result of `identify` for a signed-in user. */
export const licensingUserSchema = given(
  z.object({ userId: filled, profile: profile.exactOptional() }),
) satisfies z.ZodType<LicensingUser>;

/** The result of `session`. */
export const sessionOptionsSchema = given(
  z.object({
    applicationType: filled,
    licenseType: filled,
    states: z.array(state).min(1),
    paymentMethod: z.enum(paymentMethods).exactOptional(),
    // Users are sent there: `javascript:` would run in the partner's page.
    returnUrl: httpUrl.refine((url) => URL.canParse(url), 'Invalid URL'),
  }),
) satisfies z.ZodType<SessionOptions>;
