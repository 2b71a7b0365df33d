import { isFinished } from '../applications/known-application.js';
import { harmless } from '../log.js';
import type { StoredState } from '../store/store.js';
import { Refusal } from './refusals.js';
import { replyEvents } from './reply.js';
import { requireOwnLink, requireUser, type HandlerScope, type Route } from './scope.js';

/** While somebody watches, a webhook that was lost is made up for by looking this often. */
const backstopMs = 30_000;

/** `GET /applications/{applicationId}/events`: the application of this user at once, then at every change. */
export const streamEventsRoute: Route = async (scope, request, applicationId, context) => {
  const user = await requireUser(scope, request, context);
  const link = await requireOwnLink(scope, user, applicationId);
  if (scope.isClosed()) throw new Refusal('not_ready', { 'retry-after': '5' });
  const { applications, store, streams, clock } = scope;
  const lastSeen = lastEventId(request);
  let sentVersion = 0;
  const life = { hasEnded: false };
  const send = ({ version, application }: StoredState) => {
    // Readings may finish in another order than they were asked for.
    if (version <= sentVersion) return;
    sentVersion = version;
    // A browser that comes back has this one already. Only that very one: a number that we never sent means nothing.
    if (version === lastSeen) return;
    stream.send({ name: 'application', id: String(version), data: JSON.stringify(application) });
  };
  const sendStored = async () => {
    const state = await store.readState(applicationId);
    if (state) send(state);
  };

  let stopBackstop = () => {};
  const stream = streams.open(user.userId, clock, () => {
    life.hasEnded = true;
    stopBackstop();
    unsubscribe();
  });
  let unsubscribe = () => {};
  function watch(): void {
    stopBackstop = clock.after(backstopMs, () => {
      applications
        .current(link)
        .then(send, logFailure(scope, applicationId))
        .finally(() => {
          if (!life.hasEnded) watch();
        });
    });
  }

  try {
    // Subscribed before reading: a change in between is then noticed twice rather than never.
    const leave = await store.subscribe(applicationId, () => {
      sendStored().catch(logFailure(scope, applicationId));
    });
    unsubscribe = harmless(leave);
    // The browser left meanwhile.
    if (life.hasEnded) unsubscribe();
    const state = await applications.current(link);
    send(state);
    if (!life.hasEnded && !isFinished(state.application)) watch();
  } catch (error) {
    stream.close();
    throw error;
  }
  return replyEvents(stream.body);
};

function lastEventId(request: Request): number {
  const sent = request.headers.get('last-event-id') ?? '';
  return /^\d{1,15}$/.test(sent) ? Number(sent) : 0;
}

function logFailure({ log }: HandlerScope, applicationId: string) {
  return function onFailure(): void {
    log({ level: 'warn', event: 'stream.read_failed', applicationId });
  };
}
