import * as z from 'zod/mini';
import type { OperationId } from '../../contract/index.js';
import type { ReceivedTypes } from './received.js';

/** A text; a number in its place is read as that text (hosts send NPNs and codes either way). */
const text = z.pipe(z.union([z.string(), z.number()]), z.transform(String));

/** A number; digits in a text are read as that number. */
const number = z.union([z.number(), z.pipe(z.string().check(z.regex(/^-?\d+(\.\d+)?$/)), z.transform(Number))]);

/** An object whose unknown fields are kept, and whose known ones may be `null` where they could be absent. */
function object<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.pipe(z.transform(withoutNullsOf(Object.keys(shape))), z.looseObject(shape));
}

function withoutNullsOf(keys: readonly string[]) {
  return function dropNulls(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([key, field]) => field !== null || !keys.includes(key)));
  };
}

const progress = object({ step: text, index: number, count: number });

const application = object({
  applicationId: text,
  sessionId: z.exactOptional(text),
  userId: z.exactOptional(text),
  applicationType: z.exactOptional(text),
  licenseType: z.exactOptional(text),
  submittedAt: z.exactOptional(text),
  progress: z.exactOptional(progress),
  states: z._default(
    z.array(
      object({
        state: text,
        status: text,
        updatedAt: z._default(text, ''),
        actionUrl: z.exactOptional(text),
        reason: z.exactOptional(text),
      }),
    ),
    [],
  ),
});

const address = object({ street: text, city: text, state: text, zip: text });

/** How the answer of each operation is read: what must be there, and nothing more. */
export const readers: { readonly [Id in OperationId]: z.ZodMiniType<ReceivedTypes[Id]> } = {
  // A token that could not stand in a header would make `fetch` throw an error that quotes it.
  login: object({ accessToken: z.string().check(z.regex(/^[\x21-\x7e]+$/)) }),
  createAccountCredential: object({
    agencyId: text,
    agencyName: text,
    clientId: text,
    createdAt: text,
    deactivatedAt: z._default(text, ''),
    id: text,
    isActive: z.boolean(),
    liveClientSecret: text,
    testClientSecret: text,
    updatedAt: text,
  }),
  syncProfile: object({
    userId: z.exactOptional(text),
    npn: z.exactOptional(text),
    firstName: z.exactOptional(text),
    lastName: z.exactOptional(text),
    email: z.exactOptional(text),
    phone: z.exactOptional(text),
    dateOfBirth: z.exactOptional(text),
    residentialAddress: z.exactOptional(address),
    updatedAt: z.exactOptional(text),
  }),
  createSession: object({
    sessionId: text,
    applicationId: text,
    applicationUrl: z.string().check(z.regex(/^https?:\/\/./)),
    expiresAt: z.exactOptional(text),
    estimatedFees: object({ total: number }),
    prefilled: object({ npn: z.boolean(), ssn: z.boolean(), backgroundQuestions: z.boolean() }),
  }),
  getApplication: application,
  decideState: application,
};
