import { createSession } from '../../domain/sessions/create-session.js';
import { decideState } from '../../domain/sessions/departments.js';
import { BridgeFailure } from '../../domain/failure.js';
import { readApplication } from '../../domain/sessions/read-application.js';
import { syncProfile } from '../../domain/sessions/sync-profile.js';
import type { Handlers } from './call.js';

/** Operations 17 to 19, and the test helper. */
export const sessionHandlers = {
  syncProfile: (context, { params, body, caller }) => syncProfile(context, caller, params.userId, body),

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
    await decideState(context, { applicationId, state, ...body, owner: caller });
    const application = await readApplication(context, caller, applicationId);
    if (application === undefined) throw unknownApplication();
    return application;
  },
} satisfies Partial<Handlers>;

function isApplicationId(id: string): boolean {
  return /^app_[\w-]{1,64}$/.test(id);
}

function unknownApplication(): BridgeFailure {
  return new BridgeFailure('unknown_application', 'applicationId: expected the id of an application');
}
