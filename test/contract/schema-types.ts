/*
 * Types only, checked with all others: what the schemas hold is what the interfaces say, field by field and in both
 * directions. `satisfies` would not notice an optional field that a schema lacks. So are the fields of the table.
 */
import type { z } from 'zod';
import type {
  LicensingUser,
  operations,
  OperationId,
  OperationTypes,
  PartnerSessionRequest,
  ReceivedTypes,
  ReceivedWebhookEvent,
  SessionOptions,
} from '../../src/contract/index.js';
import type {
  licensingUserSchema,
  partnerSessionRequestSchema,
  responseSchemas,
  sessionOptionsSchema,
  webhookEventSchema,
} from '../../src/contract/schemas/index.js';

/**
 * Every declared field there, all the way down: a field that one side lacks is then a difference.
 */
type Complete<Given> = Given extends string
  ? Text<Given>
  : Given extends readonly (infer Item)[]
    ? Complete<Item>[]
    : Given extends object
      ? { [Key in keyof Given as string extends Key ? never : Key]-?: Complete<Exclude<Given[Key], undefined>> }
      : Given;

/** An `OpenUnion` is a string for a schema. */
type Text<Given extends string> = string extends Given ? string : Given;

type Same<Left, Right> = [Complete<Left>] extends [Complete<Right>]
  ? [Complete<Right>] extends [Complete<Left>]
    ? true
    : false
  : false;

/** Fails to compile unless it is given what it says. */
type Holds<Claim extends Expected, Expected> = [Claim, Expected];

type Answers = { [Id in OperationId]: Same<z.output<(typeof responseSchemas)[Id]>, ReceivedTypes[Id]> };

/** The paths of the fields of an object, `a` and `a.b`; items of lists have none. */
type Paths<Given> = Given extends readonly unknown[]
  ? never
  : Given extends object
    ? { [Key in keyof Given & string]-?: Key | `${Key}.${Paths<Given[Key]>}` }[keyof Given & string]
    : never;

type Fields = {
  [Id in OperationId]: Same<
    (typeof operations)[Id]['fields'][number],
    Paths<OperationTypes[Id]['query']> | Paths<OperationTypes[Id]['body']>
  >;
};

/** One entry for each claim. */
export type Claims = [
  Holds<Answers, Record<OperationId, true>>,
  Holds<Fields, Record<OperationId, true>>,
  Holds<Same<z.output<typeof webhookEventSchema>, ReceivedWebhookEvent>, true>,
  Holds<Same<z.output<typeof partnerSessionRequestSchema>, PartnerSessionRequest>, true>,
  Holds<Same<z.output<typeof licensingUserSchema>, LicensingUser>, true>,
  Holds<Same<z.output<typeof sessionOptionsSchema>, SessionOptions>, true>,
  // The comparison itself can fail.
  Holds<Same<{ a: string }, { a: string; b?: string }>, false>,
  Holds<Same<{ a: { c: string; [key: string]: unknown } }, { a: { c: string; d?: string } }>, false>,
  Holds<Same<{ a: string }[], { a: number }[]>, false>,
];
