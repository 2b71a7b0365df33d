import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { connect, createServer as createHttp2Server, constants } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { suite, test, type TestContext } from 'node:test';
import { toNodeListener } from '../../../src/server/node.js';
import { deferred } from '../../support/deferred.js';
import { connectTo, listen } from '../support/listen.js';
import { partner, returnState, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

// The runner fails the test in which an error or rejection is unhandled.

const sessionBody = JSON.stringify({ reason: 'open', returnState });

/** A request in progress. */
interface Sending {
  body: Writable;
  status: Promise<number>;
  /** Ends the connection as a browser that leaves, or a network that fails. */
  interrupt(): void;
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
      const { promise: status, resolve } = deferred<number>();
      request
        .on('error', () => undefined)
        .on('response', (answer) => {
          resolve(answer.statusCode ?? 0);
          answer.on('error', () => undefined).resume();
        });
      request.flushHeaders();
      return { body: request, status, interrupt: () => void request.socket?.resetAndDestroy() };
    };
  },
  async 'HTTP/2'(t, listener) {
    const server = createHttp2Server((request, response) => {
      // Fastify passes the same objects when it serves HTTP/2.
      listener(request as never, response as never);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    t.after(() => {
      session.destroy();
      server.close();
    });
    return function begin(method, path, headers = {}) {
      const stream = session.request(
        { ':method': method, ':path': path, 'x-user': 'usr_1', ...headers },
        { endStream: method === 'GET' },
      );
      const { promise: status, resolve } = deferred<number>();
      stream.on('error', () => undefined).on('response', (head) => resolve(Number(head[':status'])));
      stream.resume();
      return { body: stream, status, interrupt: () => stream.close(constants.NGHTTP2_CANCEL) };
    };
  },
};

test('A body that is not read does not hold up the next request of its connection.', async (t) => {
  const { handler } = partner(t);
  const url = await listen(t, toNodeListener(handler));
  const socket = connectTo(t, url);
  const size = 2_000_000;
  const head = ['POST /licensing/sessions HTTP/1.1', 'host: a', 'content-type: application/json'];
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  // Without a user, and with one who sends more than the handler reads.
  for (const user of ['x-nobody', 'x-user']) {
    socket.write([...head, `${user}: usr_1`, `content-length: ${size}`, '', 'x'.repeat(size)].join('\r\n'));
  }
  socket.write('GET /licensing/nowhere HTTP/1.1\r\nhost: a\r\n\r\n');
  const statuses = () => text.match(/HTTP\/1\.1 \d+/g)?.join() ?? '';
  await until('three answers', () => statuses().split(',').length === 3);
  assert.equal(statuses(), 'HTTP/1.1 401,HTTP/1.1 413,HTTP/1.1 404');
});

for (const [protocol, serve] of Object.entries(protocols)) {
  suite(`A connection over ${protocol} that breaks`, () => {
    async function setup(t: TestContext) {
      let letIn = () => {};
      let calls = 0;
      let isHeld = false;
      const made = partner(t, {
        identify: async (request) => {
          calls += 1;
          if (isHeld) await new Promise<void>((resolve) => (letIn = resolve));
          return { userId: request.headers.get('x-user') ?? '' };
        },
      });
      const { webhookUrl } = await made.begin();
      const closed: string[] = [];
      const listener = toNodeListener(made.handler);
      const begin = await serve(t, (request, response) => {
        (response as Writable & typeof response).once('close', () => closed.push('response'));
        listener(request, response);
      });
      calls = 0;
      return {
        ...made,
        webhookPath: new URL(webhookUrl).pathname,
        begin,
        hold: () => (isHeld = true),
        letIn: () => letIn(),
        identifications: () => calls,
        closed,
      };
    }
    const json = { 'content-type': 'application/json', 'content-length': String(sessionBody.length) };

    test(`Over ${protocol}, users and webhooks are answered.`, async (t) => {
      const { begin, webhookPath } = await setup(t);
      const list = begin('GET', '/licensing/applications');
      list.body.end();
      assert.equal(await list.status, 200);
      for (const [path, text, expected] of [
        ['/licensing/sessions', sessionBody, 200],
        [webhookPath, JSON.stringify(webhook('evt_1', 'application.session_started')), 204],
      ] as const) {
        const { body, status } = begin('POST', path, { 'content-type': 'application/json' });
        body.end(text);
        assert.equal(await status, expected);
      }
    });

    for (const what of ['A request for a session', 'A webhook'] as const) {
      test(`${what} over ${protocol} that breaks in the middle of its body has no effect, and leaves no timer behind.`, async (t) => {
        const { begin, webhookPath, bridge, clock, identifications, entries, closed, request } = await setup(t);
        const before = bridge.requests.length;
        const timers = clock.timers;
        const { body, interrupt } = begin('POST', what === 'A webhook' ? webhookPath : '/licensing/sessions', json);
        body.write(sessionBody.slice(0, 20));
        if (what !== 'A webhook') await until('the user to be identified', () => identifications() === 1);
        await until('the body to be read', () => clock.timers > timers);
        interrupt();
        await until('the end of the connection', () => closed.length === 1);
        await until('its timers to be gone', () => clock.timers === timers);
        assert.deepEqual([bridge.requests.length, bridge.readings], [before, []]);
        assert.equal((await request('/applications')).status, 200, 'other users are served');
        const broken = ['webhook.refused', 'The connection broke before the body was complete.'];
        assert.deepEqual(
          entries.map(({ event, message }) => [event, message]),
          what === 'A webhook' ? [broken] : [],
        );
      });
    }

    test(`Over ${protocol}, a browser that leaves before its answer leaves no timer behind.`, async (t) => {
      const { begin, hold, letIn, identifications, closed, clock } = await setup(t);
      for (const [index, path] of ['/licensing/applications/app_1/events', '/licensing/applications'].entries()) {
        hold();
        const before = identifications();
        const { body, interrupt } = begin('GET', path);
        body.end();
        await until('the user to be identified', () => identifications() > before);
        const timers = clock.timers;
        interrupt();
        await until('the end of the connection', () => closed.length === index + 1);
        letIn();
        // `identify` has a time limit, so there is one timer less than before.
        await until('its timers to be gone', () => clock.timers === timers - 1);
      }
    });

    test(`Over ${protocol}, a browser that leaves an open stream leaves no timer behind.`, async (t) => {
      const { begin, clock } = await setup(t);
      const timers = clock.timers;
      const { body, interrupt } = begin('GET', '/licensing/applications/app_1/events');
      body.end();
      await until('the stream', () => clock.timers > timers);
      await clock.advance(1_000);
      interrupt();
      await until('its timers to be gone', () => clock.timers === timers);
    });
  });
}
