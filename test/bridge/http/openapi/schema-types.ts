/*
 * Type tests, checked by the compiler: the schemas of responses and the interfaces have the same
 * fields, in both directions. `satisfies` would miss an optional field that a schema lacks.
 */
import type { z } from 'zod';
import type {
  CreateSessionRequest,
  DecideStateRequest,
  ErrorBody,
  LicensingProfile,
  LoginRequest,
  NpnLookUpRequest,
  OperationId,
  OperationTypes,
  SubscriptionUpdateRequest,
  TeamOnboardRequest,
  TerritoryAssignRequest,
  AccountUpdateRequest,
  WebhookEvent,
} from '../../../../src/contract/index.js';
import type { errorBody } from '../../../../src/bridge/http/openapi/failure-responses.js';
import type { eventSchemas } from '../../../../src/bridge/http/schemas/events.js';
import type { operationEntries } from '../../../../src/bridge/http/schemas/index.js';
import type { teamOnboardRequest } from '../../../../src/bridge/http/schemas/producers.js';

/** Makes every field required at any depth, so that a missing field is a difference. */
type Complete<Given> = Given extends readonly (infer Item)[]
  ? Complete<Item>[]
  : Given extends object
    ? { [Key in keyof Given]-?: Complete<Exclude<Given[Key], undefined>> }
    : Given;

type Same<Left, Right> = [Complete<Left>] extends [Complete<Right>]
  ? [Complete<Right>] extends [Complete<Left>]
    ? true
    : false
  : false;

/** Compiles only with the type `true`. */
type Holds<Claim extends Expected, Expected> = [Claim, Expected];

type Entries = typeof operationEntries;
type Answers = { [Id in OperationId]: Same<z.output<Entries[Id]['response']>, OperationTypes[Id]['response']> };
type Bodies = {
  updateAccount: Same<keyof z.input<Entries['updateAccount']['body']>, keyof AccountUpdateRequest>;
  team: Same<keyof z.input<typeof teamOnboardRequest>, keyof TeamOnboardRequest>;
  login: Same<keyof z.input<Entries['login']['body']>, keyof LoginRequest>;
  lookUpNpn: Same<keyof z.input<Entries['lookUpNpn']['body']>, keyof NpnLookUpRequest>;
  update: Same<keyof z.input<Entries['getSubscriptionUpdate']['body']>, keyof SubscriptionUpdateRequest>;
  assign: Same<keyof z.input<Entries['assignTerritory']['body']>, keyof TerritoryAssignRequest>;
  profile: Same<keyof z.input<Entries['syncProfile']['body']>, keyof LicensingProfile>;
  session: Same<keyof z.input<Entries['createSession']['body']>, keyof CreateSessionRequest>;
  decide: Same<keyof z.input<Entries['decideState']['body']>, keyof DecideStateRequest>;
};

/** One entry per comparison. */
export type Claims = [
  Holds<Answers, Record<OperationId, true>>,
  Holds<Bodies, Record<keyof Bodies, true>>,
  Holds<Same<z.output<typeof errorBody>, ErrorBody>, true>,
  Holds<Same<z.output<(typeof eventSchemas)[keyof typeof eventSchemas]>, WebhookEvent>, true>,
  // Controls: these comparisons must fail.
  Holds<Same<{ a: string }, { a: string; b?: string }>, false>,
  Holds<Same<{ a: { c: string } }, { a: { c: string; d?: string } }>, false>,
  Holds<Same<{ a: string }[], { a: number }[]>, false>,
];
