import type { ReceivedWebhookEvent } from '../../contract/index.js';
import type { ApplicationRecord } from '../store/licensing-store.js';
import { isSettled } from '../applications/record-changes.js';
import { SyncError } from '../applications/sync.js';
import { withTimeout } from '../scheduling.js';
import { HttpError, replyEmpty } from '../http/reply.js';
import { messageOf } from '../log.js';
import { findContradiction, isLaterThanStatuses } from '../applications/known-application.js';
import { copyOf, readEvent, runVerifier, verifyToken } from '../webhooks/verify-webhook.js';
import type { RequestScope, Route, Services } from './services.js';
import { handlingTimeoutMs, retryAfter, tryAgainSoon } from './webhook-answers.js';

/** An event that is about an application. */
type ReceivedApplicationEvent = Exclude<ReceivedWebhookEvent, { type: 'producer.updated' }>;

/**
 * `POST /webhooks/{token}`. A webhook is acknowledged only after it was handled:
 *
 * 1. The signed URL: a token that none of our secrets signed is 404.
 * 2. The body: type, size, JSON.
 * 3. The signature, with `webhookSecret`: one that is missing or wrong is 403.
 * 4. The record that the URL was created for. An id in the body that differs from it is 400.
 * 5. `verifyWebhook`: refused is 403.
 * 6. `sync`: the application is read from the bridge, and the listeners handle the changes.
 * 7. 204. Any failure, and a claim that the bridge does not confirm yet, is 503, and the sender
 *    repeats the webhook.
 */
export const receiveWebhookRoute: Route = async (services, request, scope) => {
  const { tokens, clock, log, store, options } = services;
  const startedAt = clock.now();
  const id = await verifyToken(tokens, scope.parameter);
  if (services.isClosed()) throw new HttpError('not_ready', tryAgainSoon);
  const facts: Record<string, unknown> = {};
  try {
    const { bytes, event } = await readEvent(request, clock);
    Object.assign(facts, { type: event.type, webhookId: event.id });
    await services.verifySignature?.(request.headers, bytes, clock.now());
    const found = await store.get(id);
    if (!found) throw new SyncError('unknown_record');
    const { applicationId } = found;
    Object.assign(facts, { applicationId });
    assertAbout(found, event);
    if (options.verifyWebhook) {
      const peerAddress = await scope.findPeerAddress();
      const webhook = { id, event, applicationId, userId: found.userId, peerAddress };
      await runVerifier(options.verifyWebhook, copyOf(request, bytes), webhook, clock);
    }
    const record = await withoutLosing(scope, () => syncRecord(services, found, event));
    const unconfirmed = record.application && findContradiction(event, record.application);
    if (unconfirmed !== undefined) throw new Error(`The bridge does not confirm "${unconfirmed}" yet.`);
    log({ level: 'info', event: 'webhook.handled', ...facts, durationMs: clock.now() - startedAt });
    return replyEmpty(204);
  } catch (error) {
    const answer = error instanceof HttpError ? error : new HttpError('not_ready', retryAfter(error));
    const outcome = answer.status === 503 ? 'webhook.deferred' : 'webhook.refused';
    log({ level: 'warn', event: outcome, ...facts, message: messageOf(error) });
    throw answer;
  }

  /** The work continues after the answer, so that a slow listener is not called twice. */
  async function withoutLosing<Result>({ waitUntil }: RequestScope, work: () => Promise<Result>): Promise<Result> {
    const result = work();
    waitUntil(result.catch(() => undefined));
    return withTimeout(clock, handlingTimeoutMs, 'sync', () => result);
  }
};

function assertAbout(
  record: ApplicationRecord,
  event: ReceivedWebhookEvent,
): asserts event is ReceivedApplicationEvent {
  if (event.type === 'producer.updated') throw new HttpError('application_mismatch');
  const { data } = event;
  // Not the session: an application has several, and webhooks of an earlier one may be late.
  const isOther =
    (data.userId !== undefined && data.userId !== record.userId) ||
    (data.applicationId !== undefined &&
      record.applicationId !== undefined &&
      data.applicationId !== record.applicationId);
  if (isOther) throw new HttpError('application_mismatch');
}

async function syncRecord(
  { store, sync, sessions }: Services,
  found: ApplicationRecord,
  event: ReceivedApplicationEvent,
): Promise<ApplicationRecord> {
  const { data } = event;
  let record: ApplicationRecord | undefined = found;
  if (record.supersededBy !== undefined) record = await store.get(record.supersededBy);
  else if (record.applicationId === undefined) {
    // The answer with the application was lost, or has not arrived yet.
    record = data.applicationId === undefined ? undefined : await sessions.adoptApplication(record, data.applicationId);
    if (!record) throw new SyncError('no_application');
  }
  if (!record) throw new SyncError('unknown_record');
  const { application } = record;
  // A late or repeated webhook about decisions that were delivered. A later one may be a correction.
  if (isSettled(record) && application && !isLaterThanStatuses(event, application)) return record;
  return sync.sync(record.id);
}
