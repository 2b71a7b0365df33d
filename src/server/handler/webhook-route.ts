import type { ApplicationLink } from '../store/store.js';
import { readDelivery, type Delivery } from '../webhooks/delivery.js';
import type { WebhookVerdictCheck } from '../webhooks/webhook-check.js';
import { readJson } from './body.js';
import { Refusal } from './refusals.js';
import { replyEmpty } from './reply.js';
import type { Route } from './scope.js';

const maxWebhookBytes = 64 * 1024;
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
export const receiveWebhookRoute: Route = async (scope, request, token, { waitUntil, peerAddress }) => {
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
      await deliveries.conclude(link, unread, checks, 'refused');
      throw error;
    },
  );
  const delivery = await readDelivery(request.headers, bytes, value, receivedAt);
  const checks = [passed('capability'), passed('body')];
  const mismatch = mismatchOf(link, delivery);
  if (mismatch !== undefined) {
    await deliveries.conclude(
      link,
      delivery,
      [...checks, { name: 'application', ok: false, reason: mismatch }],
      'refused',
    );
    throw new Refusal('application_mismatch');
  }
  checks.push(passed('application'));

  const leave = deliveries.enter(link.applicationId);
  if (!leave) {
    const room = { name: 'room', ok: false, reason: 'Too many deliveries of this application are waiting.' };
    await deliveries.conclude(link, delivery, [...checks, room], 'deferred');
    throw new Refusal('not_ready', tryAgainSoon);
  }
  const { id, type } = delivery;
  const accepted = store.acceptDelivery(link.applicationId, { id, type, receivedAt: delivery.receivedAt });
  const acceptance = await accepted.catch((error: unknown) => {
    leave();
    throw error;
  });
  // One that was acknowledged before is done, unless the instance that did so ended before it read the application.
  const work =
    acceptance === 'settled'
      ? deliveries.conclude(link, delivery, checks, 'duplicate')
      : deliveries.work(link, { delivery, headers: request.headers, peerAddress }, checks);
  waitUntil(work.finally(leave));
  return replyEmpty(202);
};

function codeOf(error: unknown): string {
  return error instanceof Refusal ? error.code : 'unreadable';
}

function passed(name: string): WebhookVerdictCheck {
  return { name, ok: true, reason: undefined };
}

function mismatchOf(link: ApplicationLink, { claims }: Delivery): string | undefined {
  // Not the session: an application has several, one after the other, and their events overtake what we are told of them.
  const names = ['applicationId', 'userId'] as const;
  const wrong = names.find((name) => claims[name] !== undefined && claims[name] !== link[name]);
  return wrong === undefined ? undefined : `The ${wrong} is another one than that of the address.`;
}
