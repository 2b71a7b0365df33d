import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { suite, test, type TestContext } from 'node:test';
import type { ReceivedWebhook } from '../../../src/server/index.js';
import { toNodeListener } from '../../../src/server/node.js';
import { connectTo, listen } from '../support/listen.js';
import { partner, webhook, type PartnerOptions } from '../support/partner.js';
import { until } from '../support/until.js';

// With a character of two bytes, which may arrive in two pieces.
const body = JSON.stringify(webhook('evt_1', 'application.session_started', { name: 'Zoë' }));
const bytes = Buffer.from(body);
const length = `content-length: ${bytes.length}`;
const halves = [bytes.subarray(0, bytes.indexOf('ë') + 1), bytes.subarray(bytes.indexOf('ë') + 1)];

type Middleware = (request: IncomingMessage, next: () => void) => void;

/** A partner on `node:http` with one application, and a connection to it. */
async function setup(
  test: TestContext,
  options: PartnerOptions = {},
  middleware: Middleware = (_, next) => {
    next();
  },
) {
  const backend = partner(test, options);
  const path = new URL((await backend.begin()).webhookUrl).pathname;
  const listener = toNodeListener(backend.handler);
  const arrived: IncomingMessage[] = [];
  const url = await listen(test, (request, response) => {
    arrived.push(request);
    middleware(request, () => {
      listener(request, response);
    });
  });
  const socket = connectTo(test, url);
  let text = '';
  socket.on('data', (received: Buffer) => (text += received.toString()));
  const head = (...headers: string[]) =>
    [`POST ${path} HTTP/1.1`, 'host: localhost', 'content-type: application/json', ...headers, '', ''].join('\r\n');
  const statuses = () => [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
  return { socket, head, arrived, statuses, received: () => text };
}

suite('Webhooks on node:http', () => {
  test('Webhooks in one packet, in pieces and in chunks are answered one after the other, and the connection stays open.', async (t) => {
    const { socket, head, statuses, received } = await setup(t);
    socket.write((head(length) + body).repeat(3));
    await until('three answers', () => statuses().length === 3);
    socket.write(head('transfer-encoding: chunked'));
    for (const piece of halves) {
      socket.write(`${piece.length.toString(16)}\r\n`);
      socket.write(Buffer.concat([piece, Buffer.from('\r\n')]));
    }
    socket.write('0\r\n\r\n');
    await until('one more answer', () => statuses().length === 4);
    assert.deepEqual(statuses(), [204, 204, 204, 204]);
    assert.doesNotMatch(received(), /connection: close/i);
  });

  test('verifyWebhook receives every line of a header, and the address at the other end of the connection.', async (t) => {
    const seen: [Headers, ReceivedWebhook][] = [];
    const { socket, head, statuses } = await setup(t, {
      verifyWebhook: ({ headers }, given) => seen.push([headers, given]) > 0,
    });
    socket.write(head(length, 'X-Forwarded-For: 192.0.2.1', 'x-forwarded-for: 192.0.2.2') + body);
    await until('the answer', () => statuses().length === 1);
    const [headers, { peerAddress } = {}] = seen[0] ?? [];
    assert.equal(headers?.get('X-Forwarded-For'), '192.0.2.1, 192.0.2.2');
    assert.equal(peerAddress, '127.0.0.1');
  });

  test('A body without an end is 413 once it is too large, and then the connection ends.', async (t) => {
    const { socket, head, arrived, received } = await setup(t);
    const piece = `4000\r\n${'x'.repeat(16 * 1024)}\r\n`;
    socket.write(head('transfer-encoding: chunked') + piece.repeat(8));
    // The log of the sender has this response instead of a broken connection.
    await until('the answer', () => /\r\n\r\n/.test(received()));
    assert.match(received(), /^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n/i);
    assert.equal(arrived[0]?.listenerCount('data'), 0, 'no more of it is kept');
    if (!socket.closed) await once(socket, 'close');
  });
});

suite('Middleware in front of the handler may listen to the body', () => {
  /** Middleware, with the text that it received. */
  const middlewares: Record<string, (seen: string[]) => Middleware> = {
    'decodes the body to text': (seen) => (request, next) => {
      request.setEncoding('utf8').on('data', (text: string) => seen.push(text));
      next();
    },
    'logs the body as it arrives': (seen) => (request, next) => {
      request.on('data', (chunk: Buffer) => seen.push(chunk.toString('latin1')));
      next();
    },
    'pauses the body': (seen) => (request, next) => {
      request.pause();
      seen.push(body);
      setImmediate(next);
    },
  };
  for (const [kind, create] of Object.entries(middlewares)) {
    test(`A webhook in two pieces is read whole behind middleware that ${kind}.`, async (t) => {
      const seen: string[] = [];
      const read: unknown[] = [];
      const verifyWebhook = async (request: Request) => read.push(await request.text()) > 0;
      const { socket, head, statuses } = await setup(t, { verifyWebhook }, create(seen));
      socket.write(head(length));
      for (const piece of halves) {
        await new Promise((resolve) => setImmediate(resolve));
        socket.write(piece);
      }
      await until('the answer', () => statuses().length === 1);
      assert.deepEqual([statuses(), read], [[204], [body]]);
      const whole = kind.startsWith('logs') ? bytes.toString('latin1') : body;
      await until('the middleware to have all of it', () => seen.join('') === whole);
    });
  }
});
