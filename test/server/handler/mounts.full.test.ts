import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { RefusalBody } from '../../../src/server/index.js';
import { toNodeListener } from '../../../src/server/node.js';
import { express, fastify, type FastifyInstance, type RequestHandler } from '../../tools/web-frameworks.js';
import { listen } from '../support/listen.js';
import { partner, returnState, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

type Partner = ReturnType<typeof partner>;

/** Begins an application, lets the bridge tell of it and reads its status, all over a mount. */
async function useMount(send: (path: string, init?: RequestInit) => Promise<Response>, made: Partner): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-user': 'usr_1' };
  const begun = await send('/licensing/sessions', {
    method: 'POST',
    headers,
    body: JSON.stringify({ reason: 'open', returnState }),
  });
  assert.equal(begun.status, 200, await begun.text());
  const { pathname } = new URL(made.bridge.sessions[0]?.webhookUrl ?? '');
  const progress = { step: 'profile', index: 1, count: 6 };
  made.bridge.move('app_1', { progress });
  const body = JSON.stringify(webhook('evt_1', 'application.progress_updated', progress));
  const told = await send(pathname, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  assert.equal(told.status, 202, await told.text());
  await until('the verdict', () => made.verdicts.length === 1);
  assert.equal(made.facts.length, 1);
  assert.equal(made.verdicts[0]?.outcome, 'accepted');
  const status = await send('/licensing/applications/app_1', { headers });
  assert.deepEqual(((await status.json()) as { progress: object }).progress, progress);
}

suite('mounted in Express', () => {
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
    test(`it works ${where}`, async (t) => {
      const { made, send } = await mountIn(t, ...before);
      await useMount(send, made);
    });
  }

  test('it says so after something that reads the body and keeps nothing', async (t) => {
    const { send } = await mountIn(t, (request, _response, next) => {
      request.resume().on('end', next);
    });
    const headers = { 'content-type': 'application/json', 'x-user': 'usr_1' };
    const answer = await send('/licensing/sessions', { method: 'POST', headers, body: '{"reason":"open"}' });
    assert.equal(answer.status, 500);
    const { code, message } = (await answer.json()) as RefusalBody;
    assert.equal(code, 'body_already_read');
    assert.match(message, /before express\.json\(\)/);
  });
});

suite('mounted in Fastify', () => {
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
    test(`it works ${where}`, async (t) => {
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

suite('mounted in Hono', () => {
  async function mountIn(t: TestContext, ...before: MiddlewareHandler[]) {
    const made = partner(t);
    const app = new Hono();
    for (const middleware of before) app.use(middleware);
    app.all('/licensing/*', ({ req }) => made.handler(req.raw));
    return { made, send: async (path: string, init?: RequestInit) => app.request(path, init) };
  }

  test('it works, also behind a limit of bodies', async (t) => {
    for (const before of [[], [bodyLimit({ maxSize: 100_000 })]]) {
      const { made, send } = await mountIn(t, ...before);
      await useMount(send, made);
    }
  });

  test('it says so behind something that reads the body', async (t) => {
    const { send } = await mountIn(t, async ({ req }, next) => {
      await req.text();
      await next();
    });
    const headers = { 'content-type': 'application/json', 'x-user': 'usr_1' };
    const answer = await send('/licensing/sessions', { method: 'POST', headers, body: '{"reason":"open"}' });
    assert.equal(answer.status, 500);
    assert.equal(((await answer.json()) as RefusalBody).code, 'body_already_read');
  });
});
