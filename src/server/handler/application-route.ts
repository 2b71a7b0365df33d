import type { ApplicationLink } from '../applications/application-link.js';
import { replyJson } from './reply.js';
import { requireOwnLink, requireUser, type HandlerScope, type Route } from './scope.js';

const maxListed = 20;

/** `GET /applications/{applicationId}`: an application of this user, at most a second old. */
export const getApplicationRoute: Route = async (scope, request, applicationId, context) => {
  const user = await requireUser(scope, request, context);
  const link = await requireOwnLink(scope, user, applicationId);
  const { application } = await scope.applications.current(link);
  return replyJson(application);
};

/** `GET /applications`: the last applications of this user, the newest first, as far as they are known without asking the bridge. */
export const listApplicationsRoute: Route = async (scope, request, _, context) => {
  const { userId } = await requireUser(scope, request, context);
  const links = await scope.store.linksOfUser(userId, maxListed);
  // A bridge that mixes them up may have given one to somebody else since.
  const own = links.flatMap((link) => (link.userId === userId ? listed(scope, link) : []));
  return replyJson({ applications: await Promise.all(own) });
};

/** Without `applicationUrl`: that is for `POST /sessions`, which other sites cannot read or send. */
async function listed({ store }: HandlerScope, link: ApplicationLink) {
  const { applicationId, applicationType, licenseType, states, createdAt, expiresAt } = link;
  const known = await store.readState(applicationId);
  return {
    applicationId,
    applicationType,
    licenseType,
    createdAt,
    expiresAt,
    submittedAt: known?.application.submittedAt,
    progress: known?.application.progress,
    states:
      known && known.application.states.length > 0 ? known.application.states : states.map((state) => ({ state })),
  };
}
