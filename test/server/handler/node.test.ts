import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { suite, test } from 'node:test';
import { toNodeListener, type NodeContext } from '../../../src/server/node.js';
import { listen } from '../support/listen.js';
import { partner, returnState } from '../support/partner.js';
import { until } from '../support/until.js';

const sessionInit = {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-user': 'usr_1' },
  body: JSON.stringify({ reason: 'open', returnState }),
};

/** What `express.json()` does: reads the stream to its end and leaves an object. */
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

suite('toNodeListener', () => {
  test('serves node:http', async (t) => {
    const { handler } = partner(t);
    const url = await listen(t, toNodeListener(handler));
    const created = await fetch(`${url}/licensing/sessions`, sessionInit);
    assert.equal(created.status, 200);
    assert.equal(created.headers.get('cache-control'), 'no-store');
    const read = await fetch(`${url}/licensing/applications/app_1`, { headers: { 'x-user': 'usr_1' } });
    assert.equal(((await read.json()) as { applicationId: string }).applicationId, 'app_1');
    assert.equal((await fetch(`${url}/licensing/nowhere`)).status, 404);
  });

  test('serves mounts that take the base path off, as Express does', async (t) => {
    const { handler } = partner(t);
    const listener = toNodeListener(handler);
    const url = await listen(t, (request, response) => {
      const stripped = (request.url ?? '').slice('/licensing'.length);
      listener(Object.assign(request, { originalUrl: request.url, url: stripped }), response);
    });
    assert.equal((await fetch(`${url}/licensing/sessions`, sessionInit)).status, 200);
  });

  test('serves Fastify, which wraps requests, replies and bodies', async (t) => {
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

  for (const keep of ['body', 'rawBody'] as const) {
    test(`works behind a parser that leaves ${keep}`, async (t) => {
      const { handler } = partner(t);
      const url = await listen(t, parseFirst(toNodeListener(handler), keep));
      assert.equal((await fetch(`${url}/licensing/sessions`, sessionInit)).status, 200);
    });
  }

  test('fails loudly behind a parser that leaves nothing: an empty webhook is never accepted', async (t) => {
    const { handler } = partner(t);
    const url = await listen(t, parseFirst(toNodeListener(handler), 'nothing'));
    const answer = await fetch(`${url}/licensing/sessions`, sessionInit);
    assert.equal(answer.status, 500);
    assert.match(await answer.text(), /body_already_read.*express\.json\(\)/);
  });

  test('hands the request over to `identify`, with what middleware put on it', async (t) => {
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

  test('does not mistake the empty object of a parser for the body that it left alone', async (t) => {
    const { handler } = partner(t);
    const listener = toNodeListener(handler);
    const url = await listen(t, (request, response) => listener(Object.assign(request, { body: {} }), response));
    assert.equal((await fetch(`${url}/licensing/sessions`, sessionInit)).status, 200);
  });

  test('streams events as they come and ends them when the browser goes away', async (t) => {
    const { handler, begin, clock } = partner(t);
    await begin();
    const before = clock.timers;
    const url = await listen(t, toNodeListener(handler));
    const request = httpRequest(`${url}/licensing/applications/app_1/events`, { headers: { 'x-user': 'usr_1' } }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('error', () => undefined);
    await until('the first snapshot', () => text.includes('event: application'));
    assert.ok(clock.timers > before);
    request.destroy();
    await clock.advance(200);
    await until('its timers to be gone', () => clock.timers === before);
  });

  test('survives strange hosts and paths', async (t) => {
    const { handler } = partner(t);
    const url = await listen(t, toNodeListener(handler));
    for (const [path, host] of [
      ['//evil.example/licensing/sessions', 'localhost'],
      ['/licensing/nowhere', 'not a host'],
      ['http://[', 'localhost'],
      ['*', 'a:b:c'],
    ]) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(`GET ${path ?? ''} HTTP/1.1\r\nHost: ${host ?? ''}\r\nConnection: close\r\n\r\n`);
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      assert.match(chunk.toString(), /^HTTP\/1\.1 (404|405|400) /, path);
      socket.destroy();
    }
  });

  test('takes no host out of the path, and the whole path for the path', async (t) => {
    const seen: string[] = [];
    const url = await listen(
      t,
      toNodeListener((request) => {
        seen.push(request.url);
        return Promise.resolve(new Response());
      }),
    );
    const paths = ['//evil.example/a', '/\\evil.example/a', '\\\\evil.example/a', '/\\/evil.example/a'];
    for (const path of paths) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: agency.example\r\nConnection: close\r\n\r\n`);
      await once(socket, 'data');
      socket.destroy();
    }
    assert.deepEqual([...new Set(seen)], ['http://agency.example/evil.example/a']);
  });

  test('tells a handler when nobody waits for its answer any more, and only then', async (t) => {
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

  test('takes no more of a body than its reader does', async (t) => {
    let made = 0;
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          made += 1;
          controller.enqueue(new Uint8Array(64 * 1024));
          if (made === 2_000) controller.close();
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
    // Until the buffers in between are full.
    await until('the body to wait', () => {
      const isWaiting = made === before;
      before = made;
      return isWaiting && made > 0;
    });
    assert.ok(made < 1_000, String(made));
    request.destroy();
  });

  test('sends the head of an answer before there is a body', async (t) => {
    const url = await listen(
      t,
      toNodeListener(() => Promise.resolve(new Response(new ReadableStream()))),
    );
    const request = httpRequest(url).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 200);
    response.on('error', () => undefined);
    request.destroy();
  });

  test('breaks the connection where a body fails: half an answer is not taken for a whole one', async (t) => {
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

  test('answers for a handler that rejects', async (t) => {
    const url = await listen(
      t,
      toNodeListener(() => Promise.reject(new Error('secret'))),
    );
    const answer = await fetch(url);
    assert.equal(answer.status, 500);
    assert.doesNotMatch(await answer.text(), /secret/);
  });
});
