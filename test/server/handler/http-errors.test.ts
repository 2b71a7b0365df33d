import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { handlerRoutes, httpErrorGuide, type HandlerRoute } from '../../../scripts/docs/http-error-guide.js';
import { httpErrors } from '../../../src/server/http/reply.js';
import {
  memoryStore,
  StoreUnavailableError,
  type HttpErrorBody,
  type LicensingStore,
} from '../../../src/server/index.js';
import { partner, publicUrl, returnState, type PartnerOptions } from '../support/partner.js';
import { bridgeError, scriptedBridge } from '../support/scripted-bridge.js';

type Partner = ReturnType<typeof partner>;

interface Sent {
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: BodyInit;
}

const json = { 'content-type': 'application/json' };
const user = { 'x-user': 'usr_1' };

/** A valid request to each route. */
function requestTo(route: HandlerRoute, webhookUrl: string): Sent {
  const session = JSON.stringify({ reason: 'open', returnState: 'z'.repeat(24) });
  const requests: Record<HandlerRoute, Sent> = {
    'POST /sessions': { path: '/sessions', method: 'POST', headers: { ...json, ...user }, body: session },
    'GET /applications': { path: '/applications', method: 'GET', headers: user },
    'GET /applications/:id': { path: '/applications/app_1', method: 'GET', headers: user },
    'GET /applications/:id/events': { path: '/applications/app_1/events', method: 'GET', headers: user },
    'POST /webhooks/:token': { path: webhookUrl.slice(publicUrl.length), method: 'POST', headers: json, body: '{}' },
    'any other': { path: '/nowhere', method: 'GET', headers: user },
  };
  return requests[route];
}

/** The causes of a failure. */
interface Obstacle {
  options?: PartnerOptions;
  before?: (partner: Partner) => unknown;
  change?: (sent: Sent) => Partial<Sent>;
  /** The body is read before the handler. */
  isBodyRead?: boolean;
}

const withBody = (body: BodyInit) => (sent: Sent) => (sent.body === undefined ? {} : { body });
const withHeaders = (headers: Record<string, string>) => (sent: Sent) => ({ headers: { ...sent.headers, ...headers } });
const withUrlOf = async (other: Partner) => {
  const { webhookUrl } = await other.begin();
  return ({ path }: Sent) => (path.startsWith('/webhooks') ? { path: webhookUrl.slice(publicUrl.length) } : {});
};

const producers = { getSubscriptionUpdate: () => Promise.reject(bridgeError('refused', 'getSubscriptionUpdate')) };
const withAccountUrl = async ({ handler }: Partner, event: object) => {
  const url = await handler.accountWebhookUrl();
  return ({ path }: Sent) =>
    path.startsWith('/webhooks') ? { path: url.slice(publicUrl.length), body: JSON.stringify(event) } : {};
};

const obstacles: Record<string, (test: TestContext) => Obstacle | Promise<Obstacle>> = {
  nothing: () => ({}),
  'another method': () => ({ change: () => ({ method: 'PUT', body: '{}' }) }),
  'another site': () => ({ change: withHeaders({ 'sec-fetch-site': 'cross-site' }) }),
  'a preflight of another site': () => ({
    change: ({ method }) => ({
      method: 'OPTIONS',
      headers: { origin: 'https://other.example', 'access-control-request-method': method },
    }),
  }),
  'no user': () => ({ change: ({ headers: { 'x-user': _, ...headers } }) => ({ headers }) }),
  'another user': () => ({ change: withHeaders({ 'x-user': 'usr_2' }) }),
  'a form': () => ({ change: withHeaders({ 'content-type': 'application/x-www-form-urlencoded' }) }),
  'a body that was read': () => ({ isBodyRead: true }),
  'a large body': () => ({ change: withBody(JSON.stringify('x'.repeat(70_000))) }),
  'a body that does not arrive': () => ({ change: (sent) => withBody(new ReadableStream())(sent) }),
  'a body that is interrupted': () => ({ change: (sent) => withBody(interrupted())(sent) }),
  'an empty body': () => ({ change: withBody('') }),
  'a body that is not JSON': () => ({ change: withBody('{') }),
  'a body that no element sends': () => ({ change: withBody('[]') }),
  'a state that is not offered': () => ({
    change: withBody(JSON.stringify({ reason: 'open', returnState, states: ['NV'] })),
  }),
  'a body about another application': () => ({ change: withBody('{"data":{"applicationId":"app_0"}}') }),
  'an update of an unknown producer': async (t) => ({
    options: { on: { producer: () => undefined }, bridge: { ...scriptedBridge(() => 0), producers } },
    change: await withAccountUrl(partner(t), { type: 'producer.updated', data: { changes: [] } }),
  }),
  'a URL of another secret': async (t) => ({
    change: await withUrlOf(partner(t, { secret: 'a-secret-of-somebody-else-0123456789' })),
  }),
  'a URL of another store': async (t) => ({ change: await withUrlOf(partner(t)) }),
  'a profile that the bridge refuses': () => ({ before: ({ bridge }) => refuseProfiles(bridge) }),
  'an unfinished application': () => ({ options: { resumeUnfinished: false, maxUnfinishedApplications: 1 } }),
  'twenty sessions of the user': () => ({ options: { resumeUnfinished: false }, before: createSessions }),
  'a verifyWebhook that refuses': () => ({ options: { verifyWebhook: () => false } }),
  'twenty streams of the user': () => ({ before: openStreams }),
  'a bridge that refuses': () => ({ before: ({ bridge }) => failAfterProfile(bridge, 'refused') }),
  'a bridge that refuses the login': () => ({
    before: ({ bridge }) => {
      const refuse = () => Promise.reject(bridgeError('refused', 'login'));
      Object.assign(bridge, {
        profiles: { sync: refuse },
        sessions: { create: refuse },
        applications: { get: refuse },
      });
    },
  }),
  'a bridge that is unreachable': () => ({ before: ({ bridge }) => bridge.fail('unreachable') }),
  'a bridge that mixes applications up': () => ({
    before: ({ bridge }) => bridge.change('app_1', { userId: 'usr_3' }),
  }),
  'an instance that is being closed': () => ({ before: ({ stop }) => stop() }),
  'a store that fails': () => failingStore(new Error('A fault of the store.')),
  'a store that is unavailable': () => failingStore(new StoreUnavailableError(new Error('No connection.'))),
};

test('The error answers of each route are those of the table in the documentation, and no others.', async (t) => {
  const seen = new Set<string>();
  for (const route of handlerRoutes) {
    for (const [name, create] of Object.entries(obstacles)) {
      const answer = await answerTo(t, route, await create(t));
      if (name === 'nothing' && route !== 'any other') assert.ok(answer.ok, route);
      if (answer.ok) continue;
      const { code, message } = (await answer.json()) as HttpErrorBody;
      assert.equal(answer.status, httpErrors[code][0], `${route}: ${name}`);
      assert.ok(message.startsWith(httpErrors[code][1]), `${route}: ${name}: ${message}`);
      if (answer.status === 503 || answer.status === 429)
        assert.ok(answer.headers.has('retry-after'), `${route}: ${name}`);
      if (answer.status === 405) assert.equal(answer.headers.get('allow'), route.split(' ')[0], route);
      seen.add(`${route}: ${code}`);
    }
  }
  // Not with 10,000 streams for each route: events.test.ts has them.
  seen.add('GET /applications/:id/events: busy');
  const listed = httpErrorGuide.flatMap(({ code, routes }) => routes.map((route) => `${route}: ${code}`));
  assert.deepEqual([...seen].sort(), [...new Set(listed)].sort());
  assert.deepEqual(new Set(httpErrorGuide.map(({ code }) => code)), new Set(Object.keys(httpErrors)));
});

async function answerTo(t: TestContext, route: HandlerRoute, obstacle: Obstacle): Promise<Response> {
  const { options = {}, before, change = () => ({}) } = obstacle;
  const backend = partner(t, options);
  const { webhookUrl } = await backend.begin('usr_1', returnState);
  await before?.(backend);
  const sent = requestTo(route, webhookUrl);
  const { path, ...init } = { ...sent, ...change(sent) };
  const request = new Request(`${publicUrl}${path}`, { ...init, duplex: 'half' } as RequestInit);
  if (obstacle.isBodyRead === true) await request.text();
  let answer: Response | undefined;
  void backend.handler(request).then((given) => (answer = given));
  // A body that does not arrive ends by this clock.
  while (!answer) await backend.clock.advance(1_000);
  return answer;
}

function interrupted(): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.error(new Error('The connection broke.'));
    },
  });
}

async function openStreams({ request }: Partner): Promise<void> {
  for (let count = 0; count < 20; count += 1) assert.equal((await request('/applications/app_1/events')).status, 200);
}

async function createSessions({ bridge, postSession }: Partner): Promise<void> {
  bridge.resumed = 'app_1';
  for (let number = 2; number <= 20; number += 1)
    assert.equal((await postSession({ reason: 'open', returnState: String(number).padStart(24, 'z') })).status, 200);
}

function refuseProfiles(bridge: Partner['bridge']): void {
  // The application of the user is gone, so that they need a new one.
  bridge.applications.get = () => Promise.reject(bridgeError('not_found', 'getApplication'));
  bridge.profiles.sync = () => Promise.reject(bridgeError('refused', 'syncProfile'));
}

function failAfterProfile(bridge: Partner['bridge'], code: 'refused'): void {
  bridge.fail(code);
  bridge.profiles.sync = () => Promise.resolve({});
}

/** A store that fails from now on. */
function failingStore(error: Error): Obstacle {
  let isBroken = false;
  const store: LicensingStore = new Proxy(memoryStore(), {
    get: (working, name: keyof LicensingStore) => (isBroken ? () => Promise.reject(error) : working[name]),
  });
  return { options: { store }, before: () => (isBroken = true) };
}
