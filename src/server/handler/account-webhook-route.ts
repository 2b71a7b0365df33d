import { producerSections } from '../../contract/index.js';
import type { ReceivedSubscriptionUpdate, ReceivedWebhookEvent } from '../../contract/index.js';
import type { ProducerUpdatedEvent } from '../applications/events.js';
import { listenerTimeoutMs } from '../applications/sync.js';
import { isBridgeClientError } from '../client/bridge-client-error.js';
import { HttpError, replyEmpty } from '../http/reply.js';
import { messageOf } from '../log.js';
import { withTimeout } from '../scheduling.js';
import { copyOf, readEvent, runVerifier } from '../webhooks/verify-webhook.js';
import { accountId } from '../webhooks/webhook-proof.js';
import type { Route, Services } from './services.js';
import { handlingTimeoutMs, retryAfter, tryAgainSoon } from './webhook-answers.js';

/** The record of a producer, which `entity-info` adds, has at most 4 MiB. */
const maxBytes = 5 * 1024 * 1024;
/** The code of the bridge for an NPN that is no longer subscribed: `not_subscribed`. */
const notSubscribed = 40_011;

/**
 * `POST /webhooks/account.{signature}`, the URL of `accountWebhookUrl()`. A webhook is acknowledged
 * only after it was handled:
 *
 * 1. The signed URL: any other is 404.
 * 2. The body, the signature with `webhookSecret`, and `verifyWebhook`, as for the URL of a session.
 * 3. Only `producer.updated` is handled. Each application of this handler has a separate URL, and
 *    applications of other backends are not known here.
 * 4. The update is read from the bridge (operation 11). One that is not confirmed yet is 503.
 * 5. The listener. Any failure is 503, and the sender repeats the webhook.
 */
export const receiveAccountWebhook: Route = async (services, request, scope) => {
  const { tokens, clock, log, options } = services;
  const startedAt = clock.now();
  if (!(await tokens.verifyAccount(scope.parameter))) throw new HttpError('unknown_route');
  if (services.isClosed()) throw new HttpError('not_ready', tryAgainSoon);
  const facts: Record<string, unknown> = {};
  try {
    const { bytes, event } = await readEvent(request, clock, maxBytes);
    Object.assign(facts, { type: event.type, webhookId: event.id });
    await services.verifySignature?.(request.headers, bytes, clock.now());
    if (options.verifyWebhook) {
      const webhook = { id: accountId, event, peerAddress: await scope.findPeerAddress() };
      await runVerifier(options.verifyWebhook, copyOf(request, bytes), webhook, clock);
    }
    const work = handleEvent(services, event);
    // The work continues after the answer.
    scope.waitUntil(work.catch(() => undefined));
    const outcome = await withTimeout(clock, handlingTimeoutMs, 'the update of a producer', () => work);
    const name = outcome === 'handled' ? 'webhook.handled' : 'webhook.ignored';
    log({ level: 'info', event: name, ...facts, durationMs: clock.now() - startedAt });
    return replyEmpty(204);
  } catch (error) {
    const answer = error instanceof HttpError ? error : new HttpError('not_ready', retryAfter(error));
    const name = answer.status === 503 ? 'webhook.deferred' : 'webhook.refused';
    log({ level: 'warn', event: name, ...facts, message: messageOf(error) });
    throw answer;
  }
};

async function handleEvent({ options, clock }: Services, event: ReceivedWebhookEvent): Promise<'handled' | 'ignored'> {
  const { bridge, on: { producer: listener } = {} } = options;
  if (event.type !== 'producer.updated' || !listener || !bridge.producers) return 'ignored';
  const { npn, reportDate } = event.data;
  if (npn === undefined || reportDate === undefined) throw new HttpError('invalid_event');
  const update = await bridge.producers.getSubscriptionUpdate({ npn, reportDate }).catch((error: unknown) => {
    // Unsubscribed while the webhook was on its way.
    if (isBridgeClientError(error) && error.bridgeCode === notSubscribed) return undefined;
    throw error;
  });
  if (!update) return 'ignored';
  const unconfirmed = findUnconfirmed(npn, reportDate, update);
  if (unconfirmed !== undefined) throw new Error(`The bridge does not confirm ${unconfirmed} yet.`);
  const change = updateOf(npn, reportDate, event, update);
  await withTimeout(clock, listenerTimeoutMs, 'on.producer', () => listener(change));
  return 'handled';
}

/** What the bridge does not confirm, or `undefined`. A host may answer from a copy that lags behind. */
function findUnconfirmed(npn: string, reportDate: string, update: ReceivedSubscriptionUpdate): string | undefined {
  if (update.npn !== undefined && update.npn !== npn) return 'the NPN';
  const isEarlier = update.updatedAt !== undefined && update.updatedAt.slice(0, 10) < reportDate;
  return isEarlier ? 'an update of this day' : undefined;
}

function updateOf(
  npn: string,
  reportDate: string,
  { id, data }: Extract<ReceivedWebhookEvent, { type: 'producer.updated' }>,
  { updatedAt, changes = [], producer }: ReceivedSubscriptionUpdate,
): ProducerUpdatedEvent {
  // Of the body, only known sections: they say where to look, and the record is the bridge's. It
  // names those of earlier updates too, which the bridge no longer lists.
  const named = producerSections.filter((section) => data.changes.includes(section));
  return {
    type: 'producer',
    // Not the id of the body: whoever knew it beforehand could make it look handled.
    eventId: `${npn}.${updatedAt ?? id ?? reportDate}`,
    npn,
    reportDate,
    changes: [...new Set([...named, ...changes])],
    ...(producer && { producer }),
  };
}
