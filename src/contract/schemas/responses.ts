import { z } from 'zod';
import type { OperationId, ReceivedTypes } from '../index.js';
import { producerSchema } from './producer.js';
import {
  anyFlag,
  anyList,
  anyNumber,
  anyText,
  fields,
  flag,
  httpUrl,
  number,
  object,
  readable,
  text,
} from './lenient-values.js';

const maybeText = text.exactOptional();

/**
 * The fields of every page of a list. `hasNextPage` is required, because a loop over the pages
 * would otherwise end too early.
 */
const page = {
  ...fields(anyNumber, 'currentPage', 'pageSize', 'totalCount'),
  hasNextPage: flag,
  hasPreviousPage: anyFlag,
};

const bulkStatus = object({
  ...fields(anyText, 'id', 'message'),
  ...fields(anyList(text), 'npns', 'failedNpns'),
  totalCount: anyNumber,
  // While the job runs, a host may send the two counts and nothing else.
  successCount: number,
  failureCount: number,
  failureReason: anyList(object({ npn: text, code: number.exactOptional(), reason: maybeText })),
});

const subscription = object({ agencyId: anyText, npns: z.array(object({ npn: text, addedAt: anyText })) });

const territoryLicense = object({
  ...fields(anyText, 'licenseClass', 'licenseClassCode'),
  loas: anyList(object(fields(anyText, 'code', 'name', 'residencyType'))),
});

const territory = object({
  id: text,
  name: anyText,
  states: anyList(object({ stateCode: text, licenses: anyList(territoryLicense) })),
  assignedProducers: anyList(object(fields(anyText, 'firstName', 'lastName', 'npn'))),
});

const applicationState = z.preprocess(
  // An invalid link is omitted, because the status without it is better than no status.
  (state) => readable(state, { actionUrl: httpUrl }),
  object({ state: text, status: text, updatedAt: anyText, actionUrl: httpUrl.exactOptional(), reason: maybeText }),
);

const application = object({
  applicationId: text,
  ...fields(maybeText, 'sessionId', 'userId', 'applicationType', 'licenseType', 'submittedAt'),
  progress: object({ step: text, index: number, count: number }).exactOptional(),
  states: anyList(applicationState),
});

/** The schema of each operation's answer: the required fields, and no more. */
export const responseSchemas = {
  // With a token that is not valid in a header, `fetch` would throw an error that quotes it.
  login: object({ accessToken: z.string().regex(/^[\x21-\x7e]+$/) }),
  updateAccount: object({ userId: text, ...fields(anyText, 'businessEmail', 'preference', 'webhookUrl') }),
  createAccountCredential: object({
    ...fields(text, 'clientId', 'liveClientSecret', 'testClientSecret'),
    ...fields(anyText, 'agencyId', 'agencyName', 'createdAt', 'deactivatedAt', 'id', 'updatedAt'),
    isActive: flag,
  }),
  resetCredential: object({ ...fields(text, 'liveClientSecret', 'testClientSecret'), userId: anyText }),
  onboardProducer: producerSchema,
  getBulkDetails: object({ ...fields(anyText, 'id', 'message'), ...page, details: z.array(producerSchema) }),
  startBulkOnboarding: object({ id: text, message: anyText }),
  getBulkStatus: bulkStatus,
  listActiveLicenses: z.array(
    object({ state: text, licenseInfo: anyList(object(fields(anyText, 'licenseNumber', 'npn', 'residencyStatus'))) }),
  ),
  lookUpNpn: object({ message: anyText, data: object({ npn: text }) }),
  getSubscriptionUpdate: object({
    ...fields(maybeText, 'npn', 'reportDate', 'updatedAt'),
    changes: z.array(text).exactOptional(),
    producer: producerSchema.exactOptional(),
  }),
  subscribe: subscription,
  unsubscribe: subscription,
  assignTerritory: object({
    message: anyText,
    data: object(fields(anyText, 'assignedAt', 'npn', 'territoryId', 'territoryName')),
  }),
  unassignTerritory: object({
    message: anyText,
    data: object(fields(anyText, 'npn', 'territoryId', 'unassignedAt')),
  }),
  listTerritories: object({ message: anyText, data: object({ ...page, territories: z.array(territory) }) }),
  syncProfile: object({
    ...fields(maybeText, 'userId', 'npn', 'firstName', 'lastName', 'email', 'phone', 'dateOfBirth', 'updatedAt'),
    residentialAddress: object(fields(text, 'street', 'city', 'state', 'zip')).exactOptional(),
  }),
  createSession: object({
    ...fields(text, 'sessionId', 'applicationId'),
    applicationUrl: httpUrl,
    expiresAt: maybeText,
    estimatedFees: object({ total: number }),
    prefilled: object(fields(anyFlag, 'npn', 'ssn', 'backgroundQuestions')),
  }),
  getApplication: application,
  decideState: application,
} satisfies { [Id in OperationId]: z.ZodType<ReceivedTypes[Id]> };
