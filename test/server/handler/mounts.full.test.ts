import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { HttpErrorBody } from '../../../src/server/index.js';
import { toNodeListener } from '../../../src/server/node.js';
import { express, fastify, type FastifyInstance, type RequestHandler } from '../../tools/web-frameworks.js';
import { listen } from '../support/listen.js';
import { partner, returnState, webhook } from '../support/partner.js';

type Partner = ReturnType<typeof partner>;

/** Creates a session, receives a webhook about it and reads its application through a mount. */
async function useMount(send: (path: string, init?: RequestInit) => Promise<Response>, made: Partner): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-user': 'usr_1' };
  const created = await send('/licensing/sessions', {
    method: 'POST',
    headers,
    body: JSON.stringify({ reason: 'open', returnState }),
  });
  assert.equal(created.status, 200, await created.text());
  const { pathname } = new URL(made.bridge.requests[0]?.webhookUrl ?? '');
  const progress = { step: 'profile', index: 1, count: 6 };
  made.bridge.change('app_1', { progress });
  const body = JSON.stringify(webhook('evt_1', 'application.progress_updated', progress));
  const handled = await send(pathname, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  assert.equal(handled.status, 204, await handled.text());
  assert.equal(made.events.length, 1);
  const status = await send('/licensing/applications/app_1', { headers });
  assert.deepEqual(((await status.json()) as { progress: object }).progress, progress);
}

suite('The handler mounted in Express', () => {
  async function mountIn(t: TestContext, ...before: RequestHandler[]) {
    const made = partner(t);
    const app = express();
    for (const middleware of before) app.use(middleware);
    app.use('/licensing', toNodeListener(made.handler));
    const url = await listen(t, app);
    return { made, send: (path: string, init?: RequestInit) => fetch(`${url}${path}`, init) };
  }

  for (const [where, before] of Object.entries<RequestHandler[]>({
    'before any parser': [],
    'after express.json()': [express.json()],
    'after express.json() and express.urlencoded()': [express.json(), express.urlencoded()],
    'after express.text()': [express.text({ type: '*/*' })],
    'after express.raw()': [express.raw({ type: '*/*' })],
  })) {
    test(`In Express, sessions, webhooks and applications work ${where}.`, async (t) => {
      const { made, send } = await mountIn(t, ...before);
      await useMount(send, made);
    });
  }

  test('In Express, after middleware that reads the body and keeps nothing, the answer is 500 and says where to mount the handler.', async (t) => {
    const { send } = await mountIn(t, (request, _response, next) => {
      request.resume().on('end', next);
    });
    const headers = { 'content-type': 'application/json', 'x-user': 'usr_1' };
    const answer = await send('/licensing/sessions', { method: 'POST', headers, body: '{"reason":"open"}' });
    assert.equal(answer.status, 500);
    const { code, message } = (await answer.json()) as HttpErrorBody;
    assert.equal(code, 'body_already_read');
    assert.match(message, /before express\.json\(\)/);
  });
});

suite('The handler mounted in Fastify', () => {
  for (const [where, prepare] of Object.entries<(app: FastifyInstance) => void>({
    'behind its own parsers': () => undefined,
    'behind a parser of bytes': (app) => {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    },
    'behind a parser that passes the stream on': (app) => {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    },
  })) {
    test(`In Fastify, sessions, webhooks and applications work ${where}.`, async (t) => {
      const made = partner(t);
      const app = fastify({ forceCloseConnections: true });
      prepare(app);
      app.all('/licensing/*', toNodeListener(made.handler));
      const url = await app.listen({ port: 0, host: '127.0.0.1' });
      t.after(() => app.close());
      await useMount((path, init) => fetch(`${url}${path}`, init), made);
    });
  }
});

suite('The handler mounted in Hono', () => {
  async function mountIn(t: TestContext, ...before: MiddlewareHandler[]) {
    const made = partner(t);
    const app = new Hono();
    for (const middleware of before) app.use(middleware);
    app.all('/licensing/*', ({ req }) => made.handler(req.raw));
    return { made, send: async (path: string, init?: RequestInit) => app.request(path, init) };
  }

  test('In Hono, sessions, webhooks and applications work, also behind a limit of bodies.', async (t) => {
    for (const before of [[], [bodyLimit({ maxSize: 100_000 })]]) {
      const { made, send } = await mountIn(t, ...before);
      await useMount(send, made);
    }
  });

  test('In Hono, behind middleware that reads the body, the answer is 500 body_already_read.', async (t) => {
    const { send } = await mountIn(t, async ({ req }, next) => {
      await req.text();
      await next();
    });
    const headers = { 'content-type': 'application/json', 'x-user': 'usr_1' };
    const answer = await send('/licensing/sessions', { method: 'POST', headers, body: '{"reason":"open"}' });
    assert.equal(answer.status, 500);
    assert.equal(((await answer.json()) as HttpErrorBody).code, 'body_already_read');
  });
});
