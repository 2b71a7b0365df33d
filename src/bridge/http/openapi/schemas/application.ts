import { z } from 'zod';
import {
  applicationStatuses,
  applicationSteps,
  type Application,
  type ApplicationState,
  type Progress,
  type ResidentialAddress,
  type Session,
  type UserLicensingProfile,
} from '../../../../contract/index.js';
import { slugSchema } from '../../schemas/create-session-request.js';
import { zipSchema } from '../../schemas/licensing-profile.js';
import { stateCodeSchema } from '../../schemas/text.js';
import { npn, timestamp, uri } from './values.js';

/** The address that is stored; unlike the one of a request it may get further fields. */
export const storedAddress = z.object({
  street: z.string(),
  city: z.string(),
  state: stateCodeSchema,
  zip: zipSchema,
}) satisfies z.ZodType<ResidentialAddress>;

/** Answer of operation 17. */
export const userLicensingProfile = z.object({
  userId: z.string(),
  npn: npn.exactOptional(),
  firstName: z.string().exactOptional(),
  lastName: z.string().exactOptional(),
  email: z.email().exactOptional(),
  phone: z.string().exactOptional(),
  dateOfBirth: z.iso.date().exactOptional(),
  residentialAddress: storedAddress.exactOptional(),
  updatedAt: timestamp,
}) satisfies z.ZodType<UserLicensingProfile>;

/** Answer of operation 18. */
export const session = z.object({
  sessionId: z.string(),
  applicationId: z.string(),
  applicationUrl: z
    .string()
    .regex(/\/s\/[^/?#]+$/)
    .meta({ override: { format: 'uri' } }),
  expiresAt: timestamp,
  estimatedFees: z.object({ total: z.number().min(0) }),
  prefilled: z.object({ npn: z.boolean(), ssn: z.boolean(), backgroundQuestions: z.boolean() }),
}) satisfies z.ZodType<Session>;

/** How far a user is. */
export const progress = z.object({
  step: z.enum(['not_started', ...applicationSteps, 'submitted']),
  index: z.int().min(0).max(applicationSteps.length),
  count: z.int().min(1).max(applicationSteps.length),
}) satisfies z.ZodType<Progress>;

/** What a state department says. */
export const applicationStatus = z.enum(applicationStatuses).meta({
  description:
    'Where an application stands in one state. From `pending_review` it moves to one of the other three, from ' +
    '`requires_action` back to `pending_review` or to `denied`. `approved` and `denied` are final.',
});

/** The status of one state. */
export const applicationState = z.object({
  state: stateCodeSchema,
  status: applicationStatus,
  updatedAt: timestamp,
  actionUrl: uri.exactOptional(),
  reason: z.string().exactOptional(),
}) satisfies z.ZodType<ApplicationState>;

/** Answer of operation 19. */
export const application = z.object({
  applicationId: z.string(),
  sessionId: z.string(),
  userId: z.string(),
  applicationType: slugSchema,
  licenseType: slugSchema,
  submittedAt: timestamp.exactOptional(),
  progress,
  states: z.array(applicationState),
}) satisfies z.ZodType<Application>;
