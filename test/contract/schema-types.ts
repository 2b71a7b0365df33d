/*
 * Type tests, checked by the compiler: the schemas and the interfaces have the same fields, in both
 * directions, and so does the table of fields. `satisfies` would miss an optional field that a
 * schema lacks.
 */
import type { z } from 'zod';
import type {
  ErrorBody,
  LicensingUser,
  operations,
  OperationId,
  OperationTypes,
  PartnerSessionRequest,
  SessionOptions,
  WebhookEvent,
} from '../../src/contract/index.js';
import type {
  errorBody,
  eventSchemas,
  licensingUserSchema,
  partnerSessionRequestSchema,
  sessionOptionsSchema,
} from '../../src/contract/schemas/index.js';
import type { requests } from '../../src/contract/schemas/operations.js';
import type { responses } from '../../src/contract/schemas/responses/index.js';

/** Makes every declared field required at any depth, so that a missing field is a difference. */
type Complete<Given> = Given extends readonly (infer Item)[]
  ? Complete<Item>[]
  : Given extends object
    ? { [Key in keyof Given as string extends Key ? never : Key]-?: Complete<Exclude<Given[Key], undefined>> }
    : Given;

type Same<Left, Right> = [Complete<Left>] extends [Complete<Right>]
  ? [Complete<Right>] extends [Complete<Left>]
    ? true
    : false
  : false;

/** Compiles only with the type `true`. */
type Holds<Claim extends Expected, Expected> = [Claim, Expected];

type Responses = { [Id in OperationId]: Same<z.output<(typeof responses)[Id]>, OperationTypes[Id]['response']> };

/** Compares names only, because the schema of a list of NPNs takes any items and checks each. */
type Bodies = { [Id in OperationId]: Same<BodyNames<Id>, keyof OperationTypes[Id]['body']> };
type BodyNames<Id> = Id extends keyof typeof requests
  ? (typeof requests)[Id] extends { body: infer Body extends z.ZodType }
    ? keyof z.input<Body>
    : never
  : never;

/** The paths of an object's fields, `a` and `a.b`. Items of lists have none. */
type Paths<Given> = Given extends readonly unknown[]
  ? never
  : Given extends object
    ? { [Key in keyof Given & string]-?: Key | `${Key}.${Paths<Given[Key]>}` }[keyof Given & string]
    : never;

/** `false` for an operation: correct `fields` of its row in `src/contract/operations.ts`. */
type Fields = {
  [Id in OperationId]: Same<
    (typeof operations)[Id]['fields'][number],
    Paths<OperationTypes[Id]['query']> | Paths<OperationTypes[Id]['body']>
  >;
};

/** One entry per comparison. */
export type Claims = [
  Holds<Responses, Record<OperationId, true>>,
  Holds<Bodies, Record<OperationId, true>>,
  Holds<Same<z.output<typeof errorBody>, ErrorBody>, true>,
  Holds<Same<z.output<(typeof eventSchemas)[keyof typeof eventSchemas]>, WebhookEvent>, true>,
  Holds<Fields, Record<OperationId, true>>,
  Holds<Same<z.output<typeof partnerSessionRequestSchema>, PartnerSessionRequest>, true>,
  Holds<Same<z.output<typeof licensingUserSchema>, LicensingUser>, true>,
  Holds<Same<z.output<typeof sessionOptionsSchema>, SessionOptions>, true>,
  // Controls: these comparisons must fail.
  Holds<Same<{ a: string }, { a: string; b?: string }>, false>,
  Holds<Same<{ a: { c: string; [key: string]: unknown } }, { a: { c: string; d?: string } }>, false>,
  Holds<Same<{ a: string }[], { a: number }[]>, false>,
];
