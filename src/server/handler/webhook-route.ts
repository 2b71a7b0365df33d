import type { ApplicationLink } from '../store/store.js';
import { readDelivery, type Delivery } from '../webhooks/delivery.js';
import type { WebhookVerdict, WebhookVerdictCheck } from '../webhooks/webhook-check.js';
import { readJson } from './body.js';
import { Refusal } from './refusals.js';
import { replyEmpty } from './reply.js';
import type { Route } from './scope.js';

const maxWebhookBytes = 64 * 1024;
/** The bridge has one delivery of an application in flight. More than this at once is an outage, or somebody with the address. */
const maxPending = 32;
const tryAgainSoon = { 'retry-after': '5' };

/**
 * `POST /webhooks/{token}`.
 *
 * 1. The capability: a token that is not ours is 404 before anything is read.
 * 2. The body: type, size, JSON.
 * 3. The application: the one that the token was made for. Ids in the body are only compared.
 * 4. Recorded in the store, once for each id; only then acknowledged.
 * 5. After the answer: the checks, and the news to whoever listens.
 */
export const receiveWebhookRoute: Route = async (scope, request, token, waitUntil) => {
  const { capabilities, clock, store, deliveries, log } = scope;
  const reference = await capabilities.verify(token, clock.now());
  if (reference === undefined) {
    log({ level: 'debug', event: 'webhook.unknown_address' });
    throw new Refusal('unknown_route');
  }
  if (scope.isClosed()) throw new Refusal('not_ready', tryAgainSoon);

  const receivedAt = clock.now();
  const link = await store.linkOfReference(reference);
  // Ours, but not in the store (yet): the bridge repeats it.
  if (!link) throw new Refusal('not_ready', tryAgainSoon);

  const { bytes, value } = await readJson(request, { maxBytes: maxWebhookBytes, clock }).catch(
    async (error: unknown) => {
      const checks = [passed('capability'), { name: 'body', ok: false, reason: codeOf(error) }];
      const unread = { id: '', type: 'unknown', receivedAt: new Date(receivedAt).toISOString() };
      await deliveries.conclude(verdictOf(link, unread, 'refused', checks));
      throw error;
    },
  );
  const delivery = await readDelivery(request.headers, bytes, value, receivedAt);
  const checks = [passed('capability'), passed('body')];
  const mismatch = mismatchOf(link, delivery);
  if (mismatch !== undefined) {
    await deliveries.conclude(
      verdictOf(link, delivery, 'refused', [...checks, { name: 'application', ok: false, reason: mismatch }]),
    );
    throw new Refusal('application_mismatch');
  }
  checks.push(passed('application'));

  if (deliveries.pending(link.applicationId) >= maxPending) throw new Refusal('not_ready', tryAgainSoon);
  const { isDuplicate, mark } = await store.acceptDelivery(link.applicationId, delivery.id);
  // A repeated delivery is done unless the instance that accepted it died before it read the application.
  const isDone = isDuplicate && (await store.unsettledMark(link.applicationId)) < mark;
  if (isDone) waitUntil(deliveries.conclude(verdictOf(link, delivery, 'duplicate', checks)));
  else waitUntil(deliveries.work(link, delivery, request.headers, checks));
  return replyEmpty(202);
};

function codeOf(error: unknown): string {
  return error instanceof Refusal ? error.code : 'unreadable';
}

function passed(name: string): WebhookVerdictCheck {
  return { name, ok: true, reason: undefined };
}

function verdictOf(
  { applicationId }: ApplicationLink,
  { id, type, receivedAt }: Pick<Delivery, 'id' | 'type' | 'receivedAt'>,
  outcome: WebhookVerdict['outcome'],
  checks: WebhookVerdictCheck[],
): WebhookVerdict {
  return { id, type, applicationId, receivedAt, checks, outcome };
}

function mismatchOf(link: ApplicationLink, { claims }: Delivery): string | undefined {
  const names = ['applicationId', 'sessionId', 'userId'] as const;
  const wrong = names.find((name) => claims[name] !== undefined && claims[name] !== link[name]);
  return wrong === undefined ? undefined : `The ${wrong} is another one than that of the address.`;
}
