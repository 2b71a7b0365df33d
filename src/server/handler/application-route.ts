import { replyJson } from './reply.js';
import { requireOwnLink, requireUser, type Route } from './scope.js';

/** `GET /applications/{applicationId}`: an application of this user, at most a second old. */
export const getApplicationRoute: Route = async (scope, request, applicationId) => {
  const user = await requireUser(scope, request);
  const link = await requireOwnLink(scope, user, applicationId);
  const { application } = await scope.applications.current(link);
  return replyJson(application);
};
