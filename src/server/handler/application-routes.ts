import { isSame } from '../applications/known-application.js';
import { isSettled } from '../applications/record-changes.js';
import { SyncError } from '../applications/sync.js';
import { isBridgeClientError, isNotFound } from '../client/bridge-client-error.js';
import { HttpError, replyEmpty, replyEvents, replyJson } from '../http/reply.js';
import { messageOf } from '../log.js';
import type { Clock } from '../scheduling.js';
import type { ApplicationRecord, KnownApplication } from '../store/licensing-store.js';
import { requireOwnRecord, requireUser, type RequestScope, type Route, type Services } from './services.js';

const maxListed = 20;

/** `GET /applications/{applicationId}`: an application of this user, as the bridge has it now. */
export const getApplicationRoute: Route = async (services, request, scope) => {
  const user = await requireUser(services, request, scope);
  const record = await requireOwnRecord(services, user, scope.parameter);
  const current = await readCurrent(services, record, scope);
  if (!current.application) throw new HttpError('not_ready');
  return replyJson(describeApplication(current));
};

/**
 * `GET /applications`: the last applications of this user, newest first, from the store without the
 * bridge.
 */
export const listApplicationsRoute: Route = async (services, request, scope) => {
  const { userId } = await requireUser(services, request, scope);
  const records = await services.store.byUser(userId, maxListed);
  return replyJson({ applications: records.filter(hasApplication).map(describeApplication) });
};

function hasApplication({ applicationId }: ApplicationRecord): boolean {
  return applicationId !== undefined;
}

/** Until the bridge is first asked: it begins every application like this. */
const notStarted = { progress: { step: 'not_started', index: 0, count: 0 }, states: [] };

/**
 * The application for the element. Never with the link on which the user fills it in: that is for
 * `POST /sessions`, which other sites cannot send. Where the host has a receipt, the link of a
 * submitted application shows only that.
 */
function describeApplication({ applicationId, request, session, createdAt, application }: ApplicationRecord): object {
  const { applicationType, licenseType, states } = request;
  return {
    applicationId,
    applicationType,
    licenseType,
    createdAt,
    expiresAt: session?.expiresAt,
    requestedStates: states,
    estimatedFees: session?.estimatedFees,
    receiptUrl: application?.receiptNumber === undefined ? undefined : session?.applicationUrl,
    ...(application ?? notStarted),
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
  // Also when every state has decided: an operator of the bridge can correct a decision, and the
  // webhook about it can be lost.
  try {
    const current = await sync.refresh(record.id);
    waitUntil(
      sync.deliver(record.id).catch((error: unknown) => {
        // Another instance is delivering, which is equivalent.
        if (error instanceof SyncError && error.code === 'lease_held') return;
        log({ level: 'warn', event: 'sync.failed', applicationId: record.applicationId, message: messageOf(error) });
      }),
    );
    return current;
  } catch (error) {
    // A 404 of the bridge is an answer, not a failure. A decided application stays readable after its
    // bridge has deleted it.
    const isAnswer = isNotFound(error) && !isSettled(record);
    if (!record.application || !isBridgeClientError(error) || isAnswer) throw error;
    log({ level: 'warn', event: 'application.stale', applicationId: record.applicationId, message: error.message });
    return record;
  }
}

/** With the pause between two readings, no proxy sees more than 15 silent seconds. */
const heartbeatMs = 12_000;
/** While a browser follows an application, a lost webhook is noticed after this time. */
const readEveryMs = 30_000;
/** The pause between two polls for changes that another instance has read, in milliseconds. */
const pollEveryMs = 3_000;
/** The browser reconnects by itself, and whether the user may still read is checked again. */
const lifetimeMs = 15 * 60_000;
/** Each costs memory and reads the bridge. */
const maxPerUser = 20;
const maxStreams = 10_000;

/**
 * `GET /applications/{applicationId}/events`: the application of this user at once, then at each
 * change.
 */
export const streamEventsRoute: Route = async (services, request, scope) => {
  const { store, clock, log, streams } = services;
  const user = await requireUser(services, request, scope);
  const { id, applicationId } = await requireOwnRecord(services, user, scope.parameter);
  const first = await readOwn();
  const isSeen = request.headers.get('last-event-id') === stateIdOf(first.application);
  // 204 ends an EventSource for good: a browser that has the last state has nothing to wait for.
  if (!first.isOpen && isSeen) return replyEmpty(204);
  if (services.isClosed()) throw new HttpError('not_ready', { 'retry-after': '5' });
  const ofUser = [...streams].filter(({ userId }) => userId === user.userId);
  if (ofUser.length >= maxPerUser) throw new HttpError('too_many_streams', { 'retry-after': '30' });
  if (streams.size >= maxStreams) throw new HttpError('busy', { 'retry-after': '30' });

  const alarm = createAlarm(clock);
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const stream = { userId: user.userId, recordId: id, wake: alarm.ring, end };
  streams.add(stream);

  function end(): void {
    streams.delete(stream);
    alarm.ring();
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start: (started) => void (controller = started),
      pull: alarm.ring,
      // The only sign of a closed tab that every runtime gives: workerd does not abort
      // `request.signal`.
      cancel: end,
    },
    { highWaterMark: 2 },
  );
  void follow();
  return replyEvents(body);

  async function readOwn(): Promise<ApplicationRecord> {
    return readCurrent(services, await requireOwnRecord(services, user, scope.parameter), scope);
  }

  async function follow(): Promise<void> {
    const endsAt = clock.now() + lifetimeMs;
    let heartbeatAt = clock.now() + heartbeatMs;
    let readAt = clock.now() + readEveryMs;
    let sent: KnownApplication | undefined = isSeen ? first.application : undefined;
    let record = first;

    function write(text: string): void {
      controller.enqueue(encoder.encode(text));
      heartbeatAt = clock.now() + heartbeatMs;
    }

    /** Sends changes. It waits for a slow browser, and the next event has the whole state again. */
    function send(current: ApplicationRecord): void {
      const { application, isOpen } = current;
      if (!streams.has(stream)) return;
      const hasRoom = !isOpen || (controller.desiredSize ?? 0) > 0;
      if (hasRoom && application && !isSame(application, sent)) {
        sent = application;
        write(
          `event: application\nid: ${stateIdOf(application)}\ndata: ${JSON.stringify(describeApplication(current))}\n\n`,
        );
      } else if (clock.now() >= heartbeatAt) {
        if (hasRoom) write(': heartbeat\n\n');
        heartbeatAt = clock.now() + heartbeatMs;
      }
    }

    /**
     * Whether the request is still this user's. A sign-out must end the stream before its next event,
     * which can contain a fresh link.
     */
    async function isStillSignedIn(): Promise<boolean> {
      try {
        const { userId } = await requireUser(services, request, scope);
        return userId === user.userId;
      } catch (error) {
        if (!(error instanceof HttpError && error.code === 'not_signed_in'))
          log({ level: 'warn', event: 'stream.read_failed', applicationId, message: messageOf(error) });
        return false;
      }
    }

    /** Reads the bridge when it is due, else the store. */
    async function read(): Promise<ApplicationRecord> {
      if (clock.now() >= readAt) {
        readAt = clock.now() + readEveryMs;
        return readOwn();
      }
      return (await store.get(id)) ?? record;
    }

    write('retry: 3000\n\n');
    for (send(record); record.isOpen && clock.now() < endsAt; send(record)) {
      await alarm.wait(pollEveryMs);
      if (!streams.has(stream)) break;
      try {
        record = await read();
      } catch (error) {
        log({ level: 'warn', event: 'stream.read_failed', applicationId, message: messageOf(error) });
      }
      // The browser connects again after the end, and is answered 401 if no user is signed in.
      if (!isSame(record.application, sent) && !(await isStillSignedIn())) break;
    }
    end();
    try {
      controller.close();
    } catch {
      // The browser has left.
    }
  }
};

/**
 * The id of an event: of the state, not of the version of the record, which also counts writes about
 * listeners and leases. A browser that reconnects with it has this state. It is an FNV-1a hash, which
 * only has to differ from the ids of other states of the same application.
 */
function stateIdOf(application: KnownApplication | undefined): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(JSON.stringify(application ?? null))) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

/** Makes a loop wait for a duration or a signal. A signal is kept until the next wait. */
function createAlarm(clock: Clock): { ring(): void; wait(milliseconds: number): Promise<void> } {
  let isRinging = false;
  let wake = () => {};
  return {
    ring() {
      isRinging = true;
      wake();
    },
    async wait(milliseconds) {
      if (!isRinging) {
        await new Promise<void>((resolve) => {
          const cancel = clock.after(milliseconds, resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
      }
      isRinging = false;
    },
  };
}
