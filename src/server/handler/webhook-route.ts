import type { ApplicationLink } from '../applications/application-link.js';
import { hashedId, namedId, readDelivery, type Delivery } from '../webhooks/delivery.js';
import type { Acceptance } from '../store/store.js';
import type { WebhookVerdictCheck } from '../webhooks/webhook-check.js';
import { readJson, type JsonBody } from './body.js';
import { Refusal } from './refusals.js';
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
  const receivedAt = clock.now();
  const reference = await capabilities.verify(token, receivedAt);
  if (reference === undefined) {
    log({ level: 'debug', event: 'webhook.unknown_address' });
    throw new Refusal('unknown_route');
  }
  if (scope.isClosed()) throw new Refusal('not_ready', tryAgainSoon);

  const link = await store.linkOfReference(reference);
  // Ours, but not in the store (yet): the bridge repeats it.
  if (!link) throw new Refusal('not_ready', tryAgainSoon);

  const checks = [verdictOf('capability')];
  let read: JsonBody;
  try {
    read = await readJson(request, { maxBytes: maxWebhookBytes, clock });
  } catch (error) {
    checks.push(verdictOf('body', error instanceof Refusal ? error.code : 'unreadable'));
    waitUntil(deliveries.conclude(link, readDelivery('', undefined, receivedAt), checks, 'refused'));
    throw error;
  }
  checks.push(verdictOf('body'));
  const { bytes, value } = read;
  const delivery = readDelivery(namedId(request.headers, value) ?? (await hashedId(bytes)), value, receivedAt);
  const mismatch = mismatchOf(link, delivery);
  if (mismatch !== undefined) {
    checks.push(verdictOf('application', mismatch));
    waitUntil(deliveries.conclude(link, delivery, checks, 'refused'));
    throw new Refusal('application_mismatch');
  }
  checks.push(verdictOf('application'));

  const leave = deliveries.enter(link.applicationId);
  if (!leave) {
    checks.push(verdictOf('room', 'Too many deliveries are waiting.'));
    waitUntil(deliveries.conclude(link, delivery, checks, 'deferred'));
    throw new Refusal('not_ready', tryAgainSoon);
  }
  const { id, type } = delivery;
  let acceptance: Acceptance;
  try {
    acceptance = await store.acceptDelivery(link.applicationId, { id, type, receivedAt: delivery.receivedAt });
  } catch (error) {
    leave();
    throw error;
  }
  // One that was acknowledged before is done, unless the instance that did so ended before it read the application.
  if (acceptance === 'settled') {
    leave();
    waitUntil(deliveries.conclude(link, delivery, checks, 'duplicate'));
  } else {
    waitUntil(deliveries.work(link, { delivery, headers: request.headers, peerAddress }, checks, leave));
  }
  // Without the headers of other answers: those are for browsers.
  return new Response(null, { status: 202 });
};

/** Passed, unless there is a reason why not. */
function verdictOf(name: string, reason?: string): WebhookVerdictCheck {
  return { name, ok: reason === undefined, reason };
}

function mismatchOf(link: ApplicationLink, { claims }: Delivery): string | undefined {
  // Not the session: an application has several, one after the other, and their events overtake what we are told of them.
  const names = ['applicationId', 'userId'] as const;
  const wrong = names.find((name) => claims[name] !== undefined && claims[name] !== link[name]);
  return wrong === undefined ? undefined : `The ${wrong} is another one.`;
}
