import { isSame } from '../applications/known-application.js';
import type { ApplicationRecord, KnownApplication } from '../applications/record.js';
import { HttpError } from '../http/http-errors.js';
import { replyEmpty, replyEvents } from '../http/reply.js';
import { ignoreErrors, messageOf } from '../log.js';
import { readCurrent } from './application-route.js';
import { requireOwnRecord, requireUser, type Route } from './services.js';

/** While a browser follows an application, a lost webhook is noticed after this time. */
const readEveryMs = 30_000;
/** A store without notifications is read this often. */
const pollEveryMs = 3_000;

/** `GET /applications/{applicationId}/events`: the application of this user at once, then at each change. */
export const streamEventsRoute: Route = async (services, request, scope) => {
  const { store, clock, log, streams } = services;
  const user = await requireUser(services, request, scope);
  const { id, applicationId } = await requireOwnRecord(services, user, scope.parameter);
  if (services.isClosed()) throw new HttpError('not_ready', { 'retry-after': '5' });
  const first = await readOwn();
  const lastSeen = request.headers.get('last-event-id');
  // 204 ends an EventSource for good: a browser that has the last state has nothing to wait for.
  if (!first.isOpen && lastSeen === String(first.version)) return replyEmpty(204);

  let sent: KnownApplication | undefined = lastSeen === String(first.version) ? first.application : undefined;
  let sentVersion = 0;
  let cancelTimer = () => {};
  let unsubscribe = () => {};
  const stream = streams.open(user.userId, () => {
    cancelTimer();
    unsubscribe();
  });

  async function readOwn(): Promise<ApplicationRecord> {
    return readCurrent(services, await requireOwnRecord(services, user, scope.parameter), scope);
  }

  function send({ version, application, isOpen }: ApplicationRecord): void {
    // Readings may finish in another order than they began.
    if (version < sentVersion) return;
    sentVersion = version;
    if (application && !isSame(application, sent)) {
      sent = application;
      stream.send({ name: 'application', id: String(version), data: JSON.stringify(application) });
    }
    if (!isOpen) stream.close();
  }

  /** Sends what the store has; `read` sends what the bridge has. */
  async function sendStored(): Promise<void> {
    const record = await store.get(id);
    if (record) send(record);
  }

  function repeat(delayMs: number, read: () => Promise<void>): void {
    cancelTimer = clock.after(delayMs, () => {
      read()
        .catch(logFailure)
        .finally(() => {
          if (!stream.isClosed) repeat(delayMs, read);
        });
    });
  }

  function logFailure(error: unknown): void {
    log({ level: 'warn', event: 'stream.read_failed', applicationId, message: messageOf(error) });
  }

  try {
    if (store.subscribe) {
      const leave = await store.subscribe(id, () => void sendStored().catch(logFailure));
      unsubscribe = ignoreErrors(leave);
      // The browser left meanwhile.
      if (stream.isClosed) unsubscribe();
      // A change between the first reading and the subscription.
      await sendStored();
    } else {
      send(first);
    }
  } catch (error) {
    stream.close();
    throw error;
  }
  let polls = 0;
  if (!stream.isClosed) {
    repeat(store.subscribe ? readEveryMs : pollEveryMs, async () => {
      polls += 1;
      if (store.subscribe || polls % (readEveryMs / pollEveryMs) === 0) send(await readOwn());
      else await sendStored();
    });
  }
  return replyEvents(stream.body);
};
