import { isFinished } from '../applications/known-application.js';
import type { StoredState } from '../store/store.js';
import { openEventStream } from './event-stream.js';
import { Refusal } from './refusals.js';
import { replyEvents } from './reply.js';
import { requireOwnLink, requireUser, type HandlerScope, type Route } from './scope.js';

/** While somebody watches, a webhook that was lost is made up for by looking this often. */
const backstopMs = 30_000;

/** `GET /applications/{applicationId}/events`: the application of this user at once, then at every change. */
export const streamEventsRoute: Route = async (scope, request, applicationId) => {
  const user = await requireUser(scope, request);
  const link = await requireOwnLink(scope, user, applicationId);
  if (scope.isClosed()) throw new Refusal('not_ready', { 'retry-after': '5' });
  const { applications, store, streams, clock } = scope;

  let sentVersion = 0;
  let hasEnded = false;
  const send = ({ version, application }: StoredState) => {
    // Readings may finish in another order than they were asked for.
    if (version <= sentVersion) return;
    sentVersion = version;
    stream.send({ name: 'application', id: String(version), data: JSON.stringify(application) });
  };
  const sendStored = async () => {
    const state = await store.readState(applicationId);
    if (state) send(state);
  };

  let stopBackstop = () => {};
  const stream = openEventStream(clock, () => {
    hasEnded = true;
    streams.delete(stream);
    stopBackstop();
    unsubscribe();
  });
  // Subscribed before reading: a change in between is then sent twice rather than never.
  const unsubscribe = await store.subscribe(applicationId, () => {
    sendStored().catch(logFailure(scope, applicationId));
  });
  streams.add(stream);

  function watch(): void {
    stopBackstop = clock.after(backstopMs, () => {
      applications
        .current(link)
        .then(send, logFailure(scope, applicationId))
        .finally(() => {
          if (!hasEnded) watch();
        });
    });
  }

  try {
    const state = await applications.current(link);
    send(state);
    if (!isFinished(state.application)) watch();
  } catch (error) {
    stream.close();
    throw error;
  }
  return replyEvents(stream.body);
};

function logFailure({ log }: HandlerScope, applicationId: string) {
  return function onFailure(): void {
    log({ level: 'warn', event: 'stream.read_failed', applicationId });
  };
}
