import type { ApplicationRecord } from '../applications/record.js';
import { isSettled } from '../applications/record-changes.js';
import { SyncError } from '../applications/sync.js';
import { isBridgeClientError, isNotFound } from '../client/bridge-client-error.js';
import { HttpError } from '../http/http-errors.js';
import { replyJson } from '../http/reply.js';
import { messageOf } from '../log.js';
import { requireOwnRecord, requireUser, type RequestScope, type Route, type Services } from './services.js';

const maxListed = 20;

/** `GET /applications/{applicationId}`: an application of this user, as the bridge has it now. */
export const getApplicationRoute: Route = async (services, request, scope) => {
  const user = await requireUser(services, request, scope);
  const record = await requireOwnRecord(services, user, scope.parameter);
  const { application } = await readCurrent(services, record, scope);
  if (!application) throw new HttpError('not_ready');
  return replyJson(application);
};

/** `GET /applications`: the last applications of this user, newest first, as far as they are known without the bridge. */
export const listApplicationsRoute: Route = async (services, request, scope) => {
  const { userId } = await requireUser(services, request, scope);
  const records = await services.store.byUser(userId, maxListed);
  return replyJson({ applications: records.filter(hasApplication).map(listed) });
};

function hasApplication({ applicationId }: ApplicationRecord): boolean {
  return applicationId !== undefined;
}

/** Without `applicationUrl`: that is for `POST /sessions`, which other sites cannot send. */
function listed({ applicationId, request, session, createdAt, application }: ApplicationRecord): object {
  const { applicationType, licenseType, states } = request;
  const isKnown = application !== undefined && application.states.length > 0;
  return {
    applicationId,
    applicationType,
    licenseType,
    createdAt,
    expiresAt: session?.expiresAt,
    submittedAt: application?.submittedAt,
    progress: application?.progress,
    states: isKnown ? application.states : states.map((state) => ({ state })),
  };
}

/**
 * Reads an application for a page. The page does not wait for listeners, which run beside the
 * answer. Resolves with the last known state when the bridge is unreachable.
 */
export async function readCurrent(
  { sync, log }: Services,
  record: ApplicationRecord,
  { waitUntil }: Pick<RequestScope, 'waitUntil'>,
): Promise<ApplicationRecord> {
  if (isSettled(record)) return record;
  try {
    const current = await sync.refresh(record.id);
    waitUntil(
      sync.deliver(record.id).catch((error: unknown) => {
        // Another instance is delivering, which is as good.
        if (error instanceof SyncError && error.code === 'lease_held') return;
        log({ level: 'warn', event: 'sync.failed', applicationId: record.applicationId, message: messageOf(error) });
      }),
    );
    return current;
  } catch (error) {
    // That there is no such application is an answer as well.
    if (!record.application || !isBridgeClientError(error) || isNotFound(error)) throw error;
    log({ level: 'warn', event: 'application.stale', applicationId: record.applicationId, message: error.message });
    return record;
  }
}
