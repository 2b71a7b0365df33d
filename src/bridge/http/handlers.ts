import type { operations, OperationId, OperationTypes } from '../../contract/index.js';
import { BridgeFailure } from '../domain/failure.js';
import type { Caller } from '../domain/caller.js';
import type { BridgeContext } from '../domain/context.js';
import { createAccountCredential } from '../domain/credential.js';
import { createSession } from '../domain/create-session.js';
import { decideState } from '../domain/departments.js';
import { login } from '../domain/login.js';
import { readApplication } from '../domain/read-application.js';
import { syncProfile } from '../domain/sync-profile.js';
import { userIdSchema } from './schemas/create-session-request.js';
import { stateCodeSchema } from './schemas/text.js';
import { validate } from './validate.js';

/** A request of one operation: authenticated, its body validated. */
export interface Call<Id extends OperationId> {
  params: OperationTypes[Id]['params'];
  /** The query as it came: a value may be absent or anything. */
  query: Readonly<Record<string, string | undefined>>;
  body: OperationTypes[Id]['body'];
  caller: CallerOf<(typeof operations)[Id]['auth']>;
  header(name: string): string | undefined;
  /** Where the request came from. */
  address: string;
}

type CallerOf<Auth> = Auth extends 'none' ? undefined : Auth extends 'optional' ? Caller | undefined : Caller;

/** One handler an operation: parse what the schema cannot, call the domain, answer. */
export type Handlers = {
  [Id in OperationId]: (context: BridgeContext, call: Call<Id>) => Promise<OperationTypes[Id]['response']>;
};

/** The handlers of all operations. */
export const handlers = {
  login: (context, { body, address }) => login(context, body, address),

  createAccountCredential(context, { query, caller }) {
    const { agencyId = '' } = query;
    if (!/^agc_[\w-]{1,64}$/.test(agencyId)) {
      throw new BridgeFailure('invalid_agency', 'agencyId: expected the id of an active agency');
    }
    return createAccountCredential(context, agencyId, caller);
  },

  syncProfile: (context, { params, body, caller }) =>
    syncProfile(context, caller, validate(userIdSchema, params.userId, 'userId'), body),

  createSession(context, { body, caller, header }) {
    const key = header('idempotency-key');
    if (key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(key)) {
      throw new BridgeFailure('invalid_request', 'Idempotency-Key: expected 1 to 255 characters of ASCII');
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

  async decideState(context, { params: { applicationId, state }, body, caller }) {
    if (!isApplicationId(applicationId)) throw unknownApplication();
    const code = validate(stateCodeSchema, state, 'state');
    await decideState(context, { applicationId, state: code, ...body, owner: caller });
    const application = await readApplication(context, caller, applicationId);
    if (application === undefined) throw unknownApplication();
    return application;
  },
} satisfies Handlers;

function isApplicationId(id: string): boolean {
  return /^app_[\w-]{1,64}$/.test(id);
}

function unknownApplication(): BridgeFailure {
  return new BridgeFailure('unknown_application', 'applicationId: expected the id of an application');
}
