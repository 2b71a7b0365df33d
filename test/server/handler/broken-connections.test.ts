import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { connect, createServer as createHttp2Server, constants } from 'node:http2';
import { connect as connectSocket, type AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { suite, test, type TestContext } from 'node:test';
import { memoryStore } from '../../../src/server/index.js';
import { toNodeListener } from '../../../src/server/node.js';
import { listen } from '../support/listen.js';
import { partner, returnState } from '../support/partner.js';
import { until } from '../support/until.js';

// Errors that nobody handles, and rejections, fail the test in which they happen: the runner sees to that.

const sessionBody = JSON.stringify({ reason: 'open', returnState });

/** A request that is under way. */
interface Sending {
  body: Writable;
  /** Ends it as a browser does that leaves, or as a network does that fails. */
  breakOff(): void;
}

type Begin = (method: string, path: string, headers?: Record<string, string>) => Sending;

const protocols: Record<string, (t: TestContext, listener: ReturnType<typeof toNodeListener>) => Promise<Begin>> = {
  async 'HTTP/1.1'(t, listener) {
    const server = createHttpServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return function begin(method, path, headers = {}) {
      const all = { 'x-user': 'usr_1', ...headers };
      const request = httpRequest({ port, method, path, headers: all, agent: false });
      request.on('error', () => undefined).on('response', (answer) => answer.on('error', () => undefined).resume());
      request.flushHeaders();
      return { body: request, breakOff: () => void request.socket?.resetAndDestroy() };
    };
  },
  async 'HTTP/2'(t, listener) {
    const server = createHttp2Server((request, response) => {
      listener(request as never, response as never);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const session = connect(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    t.after(() => {
      session.destroy();
      server.close();
    });
    return function begin(method, path, headers = {}) {
      const stream = session.request(
        { ':method': method, ':path': path, 'x-user': 'usr_1', ...headers },
        { endStream: method === 'GET' },
      );
      stream.on('error', () => undefined).resume();
      return {
        body: stream,
        breakOff: () => {
          stream.close(constants.NGHTTP2_CANCEL);
        },
      };
    };
  },
};

test('a body that nobody wanted does not hold up the next request of its connection', async (t) => {
  const { handler } = partner(t);
  const url = await listen(t, toNodeListener(handler));
  const socket = connectSocket(Number(new URL(url).port), '127.0.0.1');
  t.after(() => socket.destroy());
  const size = 2_000_000;
  const head = ['POST /licensing/sessions HTTP/1.1', 'host: a', 'content-type: application/json'];
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  // Of a stranger, and of a user who sends more than is taken.
  for (const user of ['x-nobody', 'x-user']) {
    socket.write([...head, `${user}: usr_1`, `content-length: ${String(size)}`, '', 'x'.repeat(size)].join('\r\n'));
  }
  socket.write('GET /licensing/nowhere HTTP/1.1\r\nhost: a\r\n\r\n');
  const statuses = () => text.match(/HTTP\/1\.1 \d+/g)?.join() ?? '';
  await until('three answers', () => statuses().split(',').length === 3);
  assert.equal(statuses(), 'HTTP/1.1 401,HTTP/1.1 413,HTTP/1.1 404');
});

suite('a stream that ends while the application is read', () => {
  test('does not look again: its browser has left', async (t) => {
    const { begin, bridge, clock, request } = partner(t);
    await begin();
    const before = clock.timers;
    const { body } = await request('/applications/app_1/events');
    await clock.advance(1_000);
    const release = bridge.hold();
    await clock.advance(30_000);
    await body?.cancel();
    release();
    await clock.advance(1_000);
    assert.equal(clock.timers, before);
  });

  test('does not look again: the instance is being closed', async (t) => {
    const { begin, bridge, clock, request, stop } = partner(t);
    await begin();
    const release = bridge.hold();
    const opening = request('/applications/app_1/events');
    await clock.advance(1_000);
    await stop();
    release();
    await opening;
    await clock.advance(1_000);
    assert.equal(clock.timers, 0);
  });
});

for (const [protocol, serve] of Object.entries(protocols)) {
  suite(`a connection over ${protocol} that breaks`, () => {
    async function setup(t: TestContext) {
      let letIn = () => {};
      let asked = 0;
      let isHeld = false;
      const store = memoryStore();
      const count = { listeners: 0 };
      const made = partner(t, {
        store: {
          ...store,
          async subscribe(applicationId, onChange) {
            const leave = await store.subscribe(applicationId, onChange);
            count.listeners += 1;
            return () => {
              count.listeners -= 1;
              leave();
            };
          },
        },
        streams: { maxPerUser: 1 },
        identify: async (request) => {
          asked += 1;
          if (isHeld) await new Promise<void>((resolve) => (letIn = resolve));
          return { userId: request.headers.get('x-user') ?? '' };
        },
      });
      const { webhookUrl } = await made.begin();
      const gone: string[] = [];
      const listener = toNodeListener(made.handler);
      const begin = await serve(t, (request, response) => {
        (response as Writable & typeof response).once('close', () => gone.push('response'));
        listener(request, response);
      });
      asked = 0;
      return {
        ...made,
        count,
        webhookPath: new URL(webhookUrl).pathname,
        begin,
        hold: () => (isHeld = true),
        letIn: () => letIn(),
        asked: () => asked,
        gone,
      };
    }
    const json = { 'content-type': 'application/json', 'content-length': String(sessionBody.length) };

    for (const [when, sent] of [
      ['before its body', ''],
      ['in the middle of its body', sessionBody.slice(0, 20)],
    ] as const) {
      test(`${when} begins nothing and leaves nothing behind`, async (t) => {
        const { begin, bridge, clock, asked, entries, gone, request } = await setup(t);
        const before = bridge.sessions.length;
        const { body, breakOff } = begin('POST', '/licensing/sessions', json);
        if (sent !== '') body.write(sent);
        await until('the handler to be asked', () => asked() === 1);
        await until('the body to be waited for', () => clock.timers > 1);
        breakOff();
        await until('the end of the connection', () => gone.length === 1);
        await clock.advance(1);
        assert.equal(bridge.sessions.length, before);
        assert.equal((await request('/applications')).status, 200, 'others are served');
        assert.deepEqual(entries, [], 'nothing of ours failed: nobody is to be woken for it');
      });

      test(`${when}, of a webhook, is told as a verdict`, async (t) => {
        const { begin, webhookPath, verdicts, clock, entries } = await setup(t);
        const timers = clock.timers;
        const { body, breakOff } = begin('POST', webhookPath, json);
        if (sent !== '') body.write(sent);
        await until('the body to be waited for', () => clock.timers > timers);
        breakOff();
        await until('the verdict', () => verdicts.length === 1);
        assert.deepEqual(verdicts[0]?.checks.at(-1), { name: 'body', ok: false, reason: 'body_broken_off' });
        assert.equal(clock.timers, timers);
        assert.deepEqual(
          entries.map(({ event }) => event),
          ['webhook.verdict'],
        );
      });
    }

    test('before the answer is there leaves nothing behind', async (t) => {
      const { begin, hold, letIn, asked, gone, clock, count, request } = await setup(t);
      for (const [index, path] of ['/licensing/applications/app_1/events', '/licensing/applications'].entries()) {
        hold();
        const before = asked();
        const { body, breakOff } = begin('GET', path);
        body.end();
        await until('the handler to be asked', () => asked() > before);
        const timers = clock.timers;
        breakOff();
        await until('the end of the connection', () => gone.length === index + 1);
        letIn();
        await clock.advance(1_000);
        await until('the stream to be left', () => count.listeners === 0);
        assert.ok(clock.timers <= timers, String(clock.timers));
      }
      const again = request('/applications/app_1/events');
      await clock.advance(0);
      letIn();
      await clock.advance(1_000);
      assert.equal((await again).status, 200, 'the place of the stream is free');
    });

    test('while its stream waits leaves nothing behind', async (t) => {
      const { begin, clock, count } = await setup(t);
      const timers = clock.timers;
      const { body, breakOff } = begin('GET', '/licensing/applications/app_1/events');
      body.end();
      await until('the stream', () => count.listeners === 1);
      await clock.advance(1_000);
      breakOff();
      await until('the stream to be left', () => count.listeners === 0);
      await clock.advance(1_000);
      assert.ok(clock.timers <= timers);
    });
  });
}
