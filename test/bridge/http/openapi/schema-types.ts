/*
 * Types only, checked with all others: what the schemas of answers hold is what the interfaces say, field by field and in both
 * directions. `satisfies` would not notice an optional field that a schema lacks.
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

/** Every field there, all the way down: a field that one side lacks is then a difference. */
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

/** Fails to compile unless it is given what it says. */
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

/** One entry for each claim. */
export type Claims = [
  Holds<Answers, Record<OperationId, true>>,
  Holds<Bodies, Record<keyof Bodies, true>>,
  Holds<Same<z.output<typeof errorBody>, ErrorBody>, true>,
  Holds<Same<z.output<(typeof eventSchemas)[keyof typeof eventSchemas]>, WebhookEvent>, true>,
  // The comparison itself can fail.
  Holds<Same<{ a: string }, { a: string; b?: string }>, false>,
  Holds<Same<{ a: { c: string } }, { a: { c: string; d?: string } }>, false>,
  Holds<Same<{ a: string }[], { a: number }[]>, false>,
];
