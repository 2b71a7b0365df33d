import type { z } from 'zod';
import type { operations, OperationId, OperationTypes } from '../../contract/index.js';
import { updateAccount } from '../domain/accounts/agency.js';
import { type Caller, login } from '../domain/accounts/login.js';
import { createAccountCredential, resetCredential } from '../domain/accounts/credential.js';
import type { BridgeContext } from '../domain/context.js';
import { ApiError } from '../domain/errors/api-error.js';
import { listActiveLicenses, lookUpNpn, onboardProducer } from '../domain/producers/onboard-producer.js';
import { readBulkDetails, readBulkStatus, startBulkOnboarding } from '../domain/producers/bulk-onboarding.js';
import { readSubscriptionUpdate, subscribe, unsubscribe } from '../domain/producers/subscriptions.js';
import { createSession } from '../domain/sessions/create-session.js';
import { completeApplication } from '../domain/applications/complete-application.js';
import { decideState } from '../domain/filings/departments.js';
import { readApplication } from '../domain/applications/read-application.js';
import { syncProfile } from '../domain/sessions/sync-profile.js';
import { assignTerritory, listTerritories, unassignTerritory } from '../domain/producers/territories.js';
import type { JsonPieces } from '../domain/values/json-pieces.js';
import type { BodyOf, pathSchemas, QueryOf } from '../../contract/schemas/index.js';
import { characters } from '../domain/limits/limits.js';

/** A request of one operation: authenticated and validated. */
interface Call<Id extends OperationId> {
  params: ParamsOf<OperationTypes[Id]['params']>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
  caller: CallerOf<(typeof operations)[Id]['auth']>;
  header(name: string): string | undefined;
  /** The IP address of the caller. */
  address: string;
}

type ParamsOf<Params> = {
  [Name in keyof Params]: Name extends keyof typeof pathSchemas ? z.output<(typeof pathSchemas)[Name]> : never;
};

type CallerOf<Auth> = Auth extends 'none' ? undefined : Auth extends 'optional' ? Caller | undefined : Caller;

type Handlers = {
  [Id in OperationId]: (context: BridgeContext, call: Call<Id>) => Promise<OperationTypes[Id]['response'] | JsonPieces>;
};

/** One handler per operation: parses values beyond the schema, calls the domain and responds. */
export const handlers: Handlers = {
  login: (context, { body, address }) => login(context, body, address),

  updateAccount: (context, { body, caller }) => updateAccount(context, caller, body),

  createAccountCredential(context, { query: { agencyId }, caller }) {
    if (!/^agc_[\w-]{1,64}$/.test(agencyId)) {
      throw new ApiError('invalid_agency', 'agencyId: expected the id of an active agency');
    }
    return createAccountCredential(context, agencyId, caller);
  },

  resetCredential: (context, { caller }) => resetCredential(context, caller),

  onboardProducer: (context, { body, caller }) => onboardProducer(context, caller, body),
  getBulkDetails: (context, { params, query, caller }) => readBulkDetails(context, caller, params.id, query.page),
  startBulkOnboarding: (context, { body, caller }) => startBulkOnboarding(context, caller, body),
  getBulkStatus: (context, { params, caller }) => readBulkStatus(context, caller, params.id),
  listActiveLicenses: (context, { query, caller }) => listActiveLicenses(context, caller, query.stateCode),
  lookUpNpn: (context, { body, caller }) => lookUpNpn(context, caller, body),
  getSubscriptionUpdate: (context, { body, caller }) => readSubscriptionUpdate(context, caller, body),
  subscribe: (context, { body, caller }) => subscribe(context, caller, body.npns),
  unsubscribe: (context, { body, caller }) => unsubscribe(context, caller, body.npns),

  assignTerritory: (context, { params, body, caller }) =>
    assignTerritory(context, caller, params.npn, body.territoryId),
  unassignTerritory: (context, { params, caller }) =>
    unassignTerritory(context, caller, params.npn, params.territoryId),
  listTerritories: (context, { query, caller }) => listTerritories(context, caller, query),

  syncProfile: (context, { params, body, caller }) => syncProfile(context, caller, params.userId, body),

  createSession(context, { body, caller, header }) {
    const key = header('idempotency-key');
    if (key !== undefined && (key.length > characters.id.max || !/^[\x20-\x7e]+$/.test(key))) {
      throw new ApiError('invalid_request', 'Idempotency-Key: expected 1 to 255 characters of ASCII');
    }
    return createSession(context, caller, body, key);
  },

  async getApplication(context, { params, caller }) {
    const application = isApplicationId(params.applicationId)
      ? await readApplication(context, caller, params.applicationId)
      : undefined;
    if (application === undefined) throw unknownApplication();
    return application;
  },

  async completeApplication(context, { params: { applicationId }, body, caller, address }) {
    if (!isApplicationId(applicationId)) throw unknownApplication();
    await completeApplication(context, { owner: caller, applicationId, address, ...body });
    const application = await readApplication(context, caller, applicationId);
    if (application === undefined) throw unknownApplication();
    return application;
  },

  async decideState(context, { params: { applicationId, state }, body, caller }) {
    if (!isApplicationId(applicationId)) throw unknownApplication();
    const actor = `credential:${caller.credentialId}` as const;
    await decideState(context, { applicationId, state, ...body, owner: caller, actor });
    const application = await readApplication(context, caller, applicationId);
    if (application === undefined) throw unknownApplication();
    return application;
  },
};

function isApplicationId(id: string): boolean {
  return /^app_[\w-]{1,64}$/.test(id);
}

function unknownApplication(): ApiError {
  return new ApiError('unknown_application', 'applicationId: expected the id of an application');
}
