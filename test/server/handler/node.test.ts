import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { suite, test } from 'node:test';
import { toNodeListener, type NodeContext } from '../../../src/server/node.js';
import { connectTo, listen } from '../support/listen.js';
import { partner, returnState } from '../support/partner.js';
import { until } from '../support/until.js';

const sessionInit = {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-user': 'usr_1' },
  body: JSON.stringify({ reason: 'open', returnState }),
};

/**
 * Does the same as `express.json()`: reads the stream to its end and sets an object. `keep`: the
 * property.
 */
function parseFirst(
  next: (request: IncomingMessage & { body?: unknown; rawBody?: unknown }, response: ServerResponse) => void,
  keep: 'body' | 'rawBody' | 'nothing',
) {
  return function parser(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const kept = keep === 'body' ? { body: JSON.parse(bytes.toString()) as unknown } : { rawBody: bytes };
      next(keep === 'nothing' ? request : Object.assign(request, kept), response);
    });
  };
}

suite('toNodeListener mounts the handler in Node', () => {
  test('A mount that removes the base path, as Express does, is served.', async (t) => {
    const { handler } = partner(t);
    const listener = toNodeListener(handler);
    const url = await listen(t, (request, response) => {
      const stripped = (request.url ?? '').slice('/licensing'.length);
      listener(Object.assign(request, { originalUrl: request.url, url: stripped }), response);
    });
    assert.equal((await fetch(`${url}/licensing/sessions`, sessionInit)).status, 200);
  });

  test('Fastify, which wraps requests, replies and bodies, is served and sends no second response.', async (t) => {
    const { handler } = partner(t);
    const listener = toNodeListener(handler);
    let hijacked = 0;
    const wrap = (raw: IncomingMessage & { body?: unknown }, response: ServerResponse) => {
      const { body } = raw;
      delete raw.body;
      listener({ raw, body }, { raw: response, hijack: () => (hijacked += 1) });
    };
    const url = await listen(t, parseFirst(wrap, 'body'));
    assert.equal((await fetch(`${url}/licensing/sessions`, sessionInit)).status, 200);
    assert.equal(hijacked, 1);
  });

  test('Behind a parser that keeps the body, as object or bytes, requests are served.', async (t) => {
    for (const keep of ['body', 'rawBody'] as const) {
      const { handler } = partner(t);
      const url = await listen(t, parseFirst(toNodeListener(handler), keep));
      assert.equal((await fetch(`${url}/licensing/sessions`, sessionInit)).status, 200);
    }
  });

  test('Behind a parser that keeps nothing of the body, the answer is 500 and says where to mount the handler.', async (t) => {
    const { handler } = partner(t);
    const url = await listen(t, parseFirst(toNodeListener(handler), 'nothing'));
    const answer = await fetch(`${url}/licensing/sessions`, sessionInit);
    assert.equal(answer.status, 500);
    assert.match(await answer.text(), /body_already_read.*express\.json\(\)/);
  });

  test('`identify` receives the Node request with what middleware added to it.', async (t) => {
    const { handler } = partner(t, {
      identify: (_request, context) => {
        const { user } = (context as NodeContext).incoming as IncomingMessage & { user?: string };
        return user === undefined ? null : { userId: user };
      },
    });
    const listener = toNodeListener(handler);
    const url = await listen(t, (request, response) => {
      const user = request.headers['x-user'] === 'usr_1' ? { user: 'usr_session' } : {};
      listener(Object.assign(request, user), response);
    });
    assert.equal((await fetch(`${url}/licensing/sessions`, sessionInit)).status, 200);
    assert.equal((await fetch(`${url}/licensing/applications`)).status, 401);
    const { applications } = (await (
      await fetch(`${url}/licensing/applications`, { headers: { 'x-user': 'usr_1' } })
    ).json()) as { applications: unknown[] };
    assert.equal(applications.length, 1);
  });

  test('The empty object of a parser that left the body alone is not taken for the body.', async (t) => {
    const { handler } = partner(t);
    const listener = toNodeListener(handler);
    const url = await listen(t, (request, response) => listener(Object.assign(request, { body: {} }), response));
    assert.equal((await fetch(`${url}/licensing/sessions`, sessionInit)).status, 200);
  });

  test('The URL of a request has the origin of `publicUrl`, even if the Host header or the path names another.', async (t) => {
    const seen: string[] = [];
    const handler = (request: Request) => {
      seen.push(request.url);
      return Promise.resolve(new Response());
    };
    const listener = toNodeListener(Object.assign(handler, { publicUrl: 'https://agency.example/licensing' }));
    const url = await listen(t, listener);
    for (const path of ['/a', '//evil.example/a', '/\\evil.example/a', '\\\\evil.example/a', '/\\/evil.example/a']) {
      const socket = connectTo(t, url);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
      await once(socket, 'data');
    }
    assert.deepEqual([...new Set(seen)], ['https://agency.example/a', 'https://agency.example/evil.example/a']);
  });

  test('TRACE, which no Request can have, is 405 with the methods that are allowed.', async (t) => {
    const { handler } = partner(t);
    const url = await listen(t, toNodeListener(handler));
    const request = httpRequest(`${url}/licensing/applications`, { method: 'TRACE' }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    assert.deepEqual([response.statusCode, response.headers.allow], [405, 'GET, POST']);
    let text = '';
    for await (const chunk of response) text += String(chunk);
    assert.equal((JSON.parse(text) as { code: string }).code, 'method_not_allowed');
  });

  test('The signal of a request aborts when its client leaves, and not after the whole answer.', async (t) => {
    const signals: AbortSignal[] = [];
    let answer = () => {};
    const url = await listen(
      t,
      toNodeListener(async ({ signal }) => {
        signals.push(signal);
        if (signals.length === 2) await new Promise<void>((resolve) => (answer = resolve));
        return new Response('whole');
      }),
    );
    await (await fetch(url)).text();
    const leaving = new AbortController();
    const left = fetch(url, { signal: leaving.signal }).catch(() => undefined);
    await until('the second request', () => signals.length === 2);
    leaving.abort();
    await left;
    await until('the signal', () => signals[1]?.aborted === true);
    assert.equal(signals[0]?.aborted, false);
    answer();
  });

  test('No more of an answer is produced than its client reads.', async (t) => {
    let produced = 0;
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          produced += 1;
          controller.enqueue(new Uint8Array(64 * 1024));
          if (produced === 2_000) controller.close();
        },
      });
    const url = await listen(
      t,
      toNodeListener(() => Promise.resolve(new Response(body()))),
    );
    const request = httpRequest(url).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.pause();
    let before = -1;
    // The buffers between fill up first.
    await until('the body to wait', () => {
      const isWaiting = produced === before;
      before = produced;
      return isWaiting && produced > 0;
    });
    assert.ok(produced < 1_000, String(produced));
    request.destroy();
  });

  test('An answer whose body fails breaks the connection, so that half of it is not taken for the whole.', async (t) => {
    let fail = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('half'));
        fail = () => {
          controller.error(new Error('secret'));
        };
      },
    });
    const url = await listen(
      t,
      toNodeListener(() => Promise.resolve(new Response(body))),
    );
    const answer = await fetch(url);
    const text = answer.text();
    fail();
    await assert.rejects(text);
  });

  test('A function that rejects is 500 without its reason.', async (t) => {
    const url = await listen(
      t,
      toNodeListener(() => Promise.reject(new Error('secret'))),
    );
    const answer = await fetch(url);
    assert.equal(answer.status, 500);
    assert.doesNotMatch(await answer.text(), /secret/);
  });
});
