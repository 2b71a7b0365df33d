import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { suite, test, type TestContext } from 'node:test';
import { toNodeListener } from '../../../src/server/node.js';
import { connectTo, listen } from '../support/listen.js';
import { partner, webhook } from '../support/partner.js';
import { until } from '../support/until.js';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const body = JSON.stringify(webhook('evt_1', 'application.progress_updated', { step: 'profile', index: 1, count: 6 }));

/** A backend behind middleware, with one application. Resolves with the URL of its webhooks. */
async function mountBehind(test: TestContext, middleware: Middleware) {
  const backend = partner(test);
  const listener = toNodeListener(backend.handler);
  const { pathname } = new URL((await backend.begin()).webhookUrl);
  const url = await listen(test, (request, response) => {
    middleware(request, response, () => {
      listener(request, response);
    });
  });
  return { ...backend, url: `${url}${pathname}` };
}

/** Posts the webhook in these pieces, each in a separate packet, and resolves with the status. */
async function postInPieces(test: TestContext, url: string, pieces: readonly string[]): Promise<number> {
  const { pathname } = new URL(url);
  const socket = connectTo(test, url);
  let answer = '';
  socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
  const length = Buffer.byteLength(pieces.join(''));
  const head = ['host: localhost', 'content-type: application/json', `content-length: ${String(length)}`];
  socket.write([`POST ${pathname} HTTP/1.1`, ...head, '', ''].join('\r\n'));
  for (const piece of pieces) {
    await new Promise((resolve) => setImmediate(resolve));
    socket.write(piece);
  }
  await until('the answer', () => answer.includes('\r\n\r\n'));
  return Number(answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 204'.length));
}

const whole = [body];
const halves = [body.slice(0, 40), body.slice(40)];

/** Middleware in front of the handler, and the body that it received, which must be complete. */
const middlewares: Record<string, (seen: string[]) => Middleware> = {
  'that decodes the body to text': (seen) => (request, _, next) => {
    request.setEncoding('utf8');
    seen.push(body);
    next();
  },
  'that logs the body as it arrives': (seen) => (request, _, next) => {
    request.on('data', (chunk: Buffer) => seen.push(chunk.toString()));
    next();
  },
  'that pauses the body': (seen) => (request, _, next) => {
    request.pause();
    seen.push(body);
    setImmediate(next);
  },
};

suite('Middleware in front of the handler may listen to the body', () => {
  for (const [kind, create] of Object.entries(middlewares)) {
    test(`A webhook in one piece or in two is handled behind middleware ${kind}.`, async (t) => {
      for (const pieces of [whole, halves]) {
        const seen: string[] = [];
        const { url, bridge, events } = await mountBehind(t, create(seen));
        bridge.change('app_1', { progress: { step: 'profile', index: 1, count: 6 } });
        assert.equal(await postInPieces(t, url, pieces), 204);
        assert.equal(events.length, 1);
        await until('the middleware to have all of it', () => seen.join('') === body);
      }
    });
  }

  test('A character in two pieces is read as one, also where middleware decodes the body.', async (t) => {
    const received: string[] = [];
    const url = await listen(t, (request, response) => {
      request.setEncoding('utf8');
      toNodeListener(async (given) => {
        received.push(await given.text());
        return new Response(null, { status: 204 });
      })(request, response);
    });
    const bytes = Buffer.from('{"name":"Zoë"}');
    const socket = connectTo(t, url);
    socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${String(bytes.length)}\r\n\r\n`);
    for (const piece of [bytes.subarray(0, 12), bytes.subarray(12)]) {
      await new Promise((resolve) => setImmediate(resolve));
      socket.write(piece);
    }
    await until('the body', () => received.length === 1);
    assert.equal(received[0], '{"name":"Zoë"}');
  });
});
