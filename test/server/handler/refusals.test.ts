import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { LicensingStore, RefusalBody } from '../../../src/server/index.js';
import { memoryStore } from '../../../src/server/index.js';
import { refusals } from '../../../src/server/handler/refusals.js';
import { handlerRoutes, refusalGuide, type HandlerRoute } from '../../../scripts/refusal-guide.js';
import { partner, publicUrl, returnState, type PartnerOptions } from '../support/partner.js';

type Partner = ReturnType<typeof partner>;

interface Asked {
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: BodyInit;
}

const json = { 'content-type': 'application/json' };
const user = { 'x-user': 'usr_1' };

/** A request to each route that succeeds when nothing is in its way. */
function requestTo(route: HandlerRoute, webhookUrl: string): Asked {
  const session = JSON.stringify({ reason: 'open', returnState });
  const requests: Record<HandlerRoute, Asked> = {
    'POST /sessions': { path: '/sessions', method: 'POST', headers: { ...json, ...user }, body: session },
    'GET /applications': { path: '/applications', method: 'GET', headers: user },
    'GET /applications/:id': { path: '/applications/app_1', method: 'GET', headers: user },
    'GET /applications/:id/events': { path: '/applications/app_1/events', method: 'GET', headers: user },
    'POST /webhooks/:token': { path: webhookUrl.slice(publicUrl.length), method: 'POST', headers: json, body: '{}' },
    'any other': { path: '/nowhere', method: 'GET', headers: user },
  };
  return requests[route];
}

/** What may be in the way of a request. */
interface Obstacle {
  options?: PartnerOptions;
  before?: (partner: Partner) => unknown;
  change?: (asked: Asked) => Partial<Asked>;
  /** Something takes the body first. */
  isBodyTaken?: boolean;
}

const withBody = (body: BodyInit) => (asked: Asked) => (asked.body === undefined ? {} : { body });
const withHeaders = (headers: Record<string, string>) => (asked: Asked) => ({
  headers: { ...asked.headers, ...headers },
});

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
  'nobody is signed in': () => ({ change: ({ headers: { 'x-user': _, ...headers } }) => ({ headers }) }),
  'somebody else': () => ({ change: withHeaders({ 'x-user': 'usr_2' }) }),
  'a form': () => ({ change: withHeaders({ 'content-type': 'application/x-www-form-urlencoded' }) }),
  'a body that was taken': () => ({ isBodyTaken: true }),
  'a large body': () => ({ change: withBody(JSON.stringify('x'.repeat(70_000))) }),
  'a body that does not come': () => ({ change: (asked) => withBody(new ReadableStream())(asked) }),
  'a body that breaks off': () => ({ change: (asked) => withBody(brokenOff())(asked) }),
  'an empty body': () => ({ change: withBody('') }),
  'no JSON': () => ({ change: withBody('{') }),
  'no session request': () => ({ change: withBody('[]') }),
  'another application': () => ({ change: withBody('{"data":{"applicationId":"app_0"}}') }),
  'an address of another secret': async (t) => {
    const stranger = await partner(t, { secret: 'a-secret-of-somebody-else-0123456789' }).begin();
    return { change: ({ path }) => (path.startsWith('/webhooks') ? { path: pathOf(stranger.webhookUrl) } : {}) };
  },
  'an address of another store': async (t) => {
    const elsewhere = await partner(t).begin();
    return { change: ({ path }) => (path.startsWith('/webhooks') ? { path: pathOf(elsewhere.webhookUrl) } : {}) };
  },
  'a stream of the same user': () => ({ options: { streams: { maxPerUser: 1 } }, before: openStream }),
  'a stream of anybody': () => ({ options: { streams: { maxTotal: 1 } }, before: openStream }),
  'a bridge that refuses': () => ({
    before: ({ bridge }) => {
      bridge.fail('refused');
    },
  }),
  'a bridge that is away': () => ({
    before: ({ bridge }) => {
      bridge.fail('unreachable');
    },
  }),
  'an instance that is being closed': () => ({ before: ({ stop }) => stop() }),
  'more webhooks than wait': () => ({
    async before({ bridge, postWebhook }) {
      bridge.fail('unreachable');
      const url = bridge.sessions.at(-1)?.webhookUrl ?? '';
      for (let number = 0; number < 32; number += 1) await postWebhook(url, { id: `evt_${String(number)}` });
    },
  }),
  'a store that fails': () => {
    const state = { isBroken: false };
    return {
      options: { store: breakableStore(state) },
      before() {
        state.isBroken = true;
      },
    };
  },
  'an identify that throws': () => {
    const identify = (): never => {
      throw new Error('No connection.');
    };
    return { options: { identify }, before: () => undefined };
  },
};

suite('the refusals of the handler', () => {
  test('are those of the table: each occurs on each of its routes, and no other does', async (t) => {
    const seen = new Set<string>();
    for (const route of handlerRoutes) {
      for (const [name, make] of Object.entries(obstacles)) {
        const answer = await meet(t, route, await make(t));
        if (answer.ok) continue;
        const { code, message } = (await answer.json()) as RefusalBody;
        assert.equal(answer.status, refusals[code][0], `${route}: ${name}`);
        assert.equal(message, refusals[code][1], `${route}: ${name}`);
        if (route === 'any other' && name !== 'nothing') assert.equal(code, 'unknown_route');
        seen.add(`${route}: ${code}`);
      }
    }
    const listed = refusalGuide.flatMap(({ code, routes }) => routes.map((route) => `${route}: ${code}`));
    assert.deepEqual([...seen].sort(), [...new Set(listed)].sort());
    assert.deepEqual(
      new Set(refusalGuide.map(({ code }) => code)),
      new Set(Object.keys(refusals)),
      'every one is used',
    );
  });

  test('are not met when nothing is in the way', async (t) => {
    for (const route of handlerRoutes.slice(0, -1)) assert.ok((await meet(t, route, {})).ok, route);
  });
});

async function meet(t: TestContext, route: HandlerRoute, obstacle: Obstacle): Promise<Response> {
  const { options = {}, before, change = () => ({}) } = obstacle;
  const backend = partner(t, options);
  const webhookUrl = options.identify ? `${publicUrl}/webhooks/none` : (await backend.begin()).webhookUrl;
  await before?.(backend);
  const asked = requestTo(route, webhookUrl);
  const { path, ...init } = { ...asked, ...change(asked) };
  const request = new Request(`${publicUrl}${path}`, { ...init, duplex: 'half' } as RequestInit);
  if (obstacle.isBodyTaken === true) await request.text();
  let answer: Response | undefined;
  void backend.handler(request).then((given) => (answer = given));
  // Bodies that do not come, and readings of the bridge, are waited for by this clock.
  while (!answer) await backend.clock.advance(1_000);
  return answer;
}

function brokenOff(): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.error(new Error('The connection broke.'));
    },
  });
}

async function openStream({ request }: Partner): Promise<void> {
  assert.equal((await request('/applications/app_1/events')).status, 200);
}

function pathOf(webhookUrl: string): string {
  return webhookUrl.slice(publicUrl.length);
}

function breakableStore(state: { isBroken: boolean }): LicensingStore {
  return new Proxy(memoryStore(), {
    get(store, name: keyof LicensingStore) {
      return state.isBroken ? () => Promise.reject(new Error('No connection.')) : store[name];
    },
  });
}
