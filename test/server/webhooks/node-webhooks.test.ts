import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { suite, test, type TestContext } from 'node:test';
import { memoryStore, type WebhookContext } from '../../../src/server/index.js';
import { toNodeListener } from '../../../src/server/node.js';
import { listen } from '../support/listen.js';
import { partner, webhook, type PartnerOptions } from '../support/partner.js';
import { until } from '../support/until.js';

const body = JSON.stringify(webhook('evt_1', 'application.progress_updated', { step: 'profile', index: 1, count: 6 }));

/** A partner on `node:http` with one application, and a connection to it. */
async function setup(test: TestContext, options: PartnerOptions = {}) {
  const backend = partner(test, options);
  const path = new URL((await backend.begin()).webhookUrl).pathname;
  const listener = toNodeListener(backend.handler);
  const closed: IncomingMessage[] = [];
  const url = await listen(test, (request, response) => {
    request.once('close', () => closed.push(request));
    listener(request, response);
  });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  // Some of these requests end their connection.
  socket.on('error', () => undefined);
  test.after(() => socket.destroy());
  const head = (...headers: string[]) =>
    [`POST ${path} HTTP/1.1`, 'host: localhost', 'content-type: application/json', ...headers, '', ''].join('\r\n');
  return { ...backend, socket, head, closed };
}

/** The same, when somebody waits for the rest of a body. */
async function half(test: TestContext) {
  const stage = await setup(test);
  const { clock, head, socket } = stage;
  const timersBefore = clock.timers;
  socket.write(head(`content-length: ${String(body.length)}`) + body.slice(0, 40));
  await until('somebody waits for the rest', () => clock.timers > timersBefore);
  return { ...stage, timersBefore };
}

/** The answer that arrives next. */
async function answerOf(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return bytes.toString();
}

/** Its status line. */
async function statusOf(socket: Socket): Promise<string> {
  return (await answerOf(socket)).slice(0, 'HTTP/1.1 202'.length);
}

suite('a webhook on node:http', () => {
  test('is taken with others that came in the same packet, and their connection stays open', async (t) => {
    const { socket, head, verdicts } = await setup(t, { checks: [] });
    const length = `content-length: ${String(body.length)}`;
    const ids = ['evt_2', 'evt_3', 'evt_4'];
    socket.write(ids.map((id) => head(length, `webhook-id: ${id}`) + body).join(''));
    await until('all verdicts', () => verdicts.length === 3);
    assert.deepEqual(verdicts.map(({ id }) => id).sort(), ids);
    socket.write(head(length, 'webhook-id: evt_5') + body);
    await until('one more', () => verdicts.length === 4);
    let text = '';
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
    socket.write(head(length, 'webhook-id: evt_6') + body);
    await until('its answer', () => /HTTP\/1\.1 202 [^]*\r\n\r\n/.test(text));
    assert.doesNotMatch(text, /connection: close/i);
  });

  test('is taken whole or in pieces, one after the other on one connection', async (t) => {
    const { socket, head, verdicts } = await setup(t, { checks: [] });
    socket.write(head(`content-length: ${String(body.length)}`) + body);
    assert.equal(await statusOf(socket), 'HTTP/1.1 202');
    socket.write(head('transfer-encoding: chunked', 'webhook-id: evt_2'));
    for (const piece of [body.slice(0, 40), body.slice(40)]) {
      socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
    }
    socket.write('0\r\n\r\n');
    assert.equal(await statusOf(socket), 'HTTP/1.1 202');
    await until('both verdicts', () => verdicts.length === 2);
    assert.deepEqual(
      verdicts.map(({ id, outcome }) => [id, outcome]),
      [
        ['evt_1', 'accepted'],
        ['evt_2', 'accepted'],
      ],
    );
  });

  test('shows its headers to checks, each line of them', async (t) => {
    const seen: WebhookContext[] = [];
    const check = { name: 'own', check: (context: WebhookContext) => ({ ok: seen.push(context) > 0 }) };
    const { socket, head, verdicts } = await setup(t, { checks: [check] });
    const headers = [
      `content-length: ${String(body.length)}`,
      'X-Forwarded-For: 192.0.2.1',
      'x-forwarded-for: 192.0.2.2',
    ];
    socket.write(head(...headers) + body);
    await until('its verdict', () => verdicts.length === 1);
    assert.equal(seen[0]?.headers.get('X-Forwarded-For'), '192.0.2.1, 192.0.2.2');
    assert.ok(seen[0].headers instanceof Headers);
    assert.equal(seen[0].peerAddress, '127.0.0.1');
  });

  test('is refused when it does not say how long it is and does not end', async (t) => {
    const { socket, head, verdicts } = await setup(t);
    socket.write(head('transfer-encoding: chunked'));
    const piece = 'x'.repeat(16 * 1024);
    for (let sent = 0; sent < 5; sent += 1) socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
    await until('its verdict', () => verdicts.length === 1);
    assert.deepEqual(verdicts[0]?.checks.at(-1), { name: 'body', ok: false, reason: 'body_too_large' });
    // Whoever runs the sender finds this in its log, not that a connection broke.
    assert.match(await answerOf(socket), /^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n/i);
    socket.resume();
    if (!socket.closed) await once(socket, 'close');
  });

  test('is let go of beyond the limit: no more of it is kept, and its sender hears why', async (t) => {
    const { handler, begin, verdicts } = partner(t);
    const path = new URL((await begin()).webhookUrl).pathname;
    const arrived: IncomingMessage[] = [];
    const listener = toNodeListener(handler);
    const url = await listen(t, (request, response) => {
      arrived.push(request);
      listener(request, response);
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    t.after(() => socket.destroy());
    const head = `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
    const piece = `4000\r\n${'x'.repeat(16 * 1024)}\r\n`;
    socket.write(head + piece.repeat(4));
    await until('the body to be read', () => arrived[0]?.listenerCount('data') === 1);
    socket.write(piece.repeat(4));
    await until('its verdict', () => verdicts.length === 1);
    assert.equal(arrived[0]?.listenerCount('data'), 0);
    assert.equal(await statusOf(socket), 'HTTP/1.1 413');
  });

  test('is read though something in front of the handler paused it', async (t) => {
    const { handler, begin, verdicts } = partner(t, { checks: [] });
    const path = new URL((await begin()).webhookUrl).pathname;
    const listener = toNodeListener(handler);
    const url = await listen(t, (request, response) => {
      request.pause();
      setImmediate(listener, request, response);
    });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) });
    assert.equal(answer.status, 202);
    await until('its verdict', () => verdicts.length === 1);
  });

  test('is refused at once when its connection broke before anybody read it', async (t) => {
    const store = memoryStore();
    let letIn = () => {};
    const { head, socket, verdicts, closed } = await setup(t, {
      store: {
        ...store,
        async linkOfReference(reference) {
          await new Promise<void>((resolve) => (letIn = resolve));
          return store.linkOfReference(reference);
        },
      },
    });
    const before = letIn;
    socket.write(head(`content-length: ${String(body.length)}`) + body.slice(0, 40));
    await until('the store to be asked', () => letIn !== before);
    socket.destroy();
    await until('the end of the request', () => closed.length === 1);
    letIn();
    await until('its verdict', () => verdicts.length === 1);
    assert.deepEqual(verdicts[0]?.checks.at(-1), { name: 'body', ok: false, reason: 'body_broken_off' });
  });

  test('is refused when its body stops for ten seconds', async (t) => {
    const { clock, verdicts, socket } = await half(t);
    await clock.advance(10_000);
    await until('its verdict', () => verdicts.length === 1);
    assert.deepEqual(verdicts[0]?.checks.at(-1), { name: 'body', ok: false, reason: 'body_too_slow' });
    // Whoever runs the sender finds this in its log, not that a connection broke.
    assert.match(await answerOf(socket), /^HTTP\/1\.1 408 [^]*\r\nconnection: close\r\n/i);
    socket.resume();
    if (!socket.closed) await once(socket, 'close');
  });

  test('is refused when its connection breaks in the middle', async (t) => {
    const { clock, verdicts, socket, timersBefore } = await half(t);
    socket.destroy();
    await until('its verdict', () => verdicts.length === 1);
    assert.deepEqual(verdicts[0]?.checks.at(-1), { name: 'body', ok: false, reason: 'body_broken_off' });
    assert.equal(clock.timers, timersBefore);
  });

  test('is read, too, where `peerAddress` looks at the request', async (t) => {
    const asked: Request[] = [];
    const peerAddress = (request: Request) => (asked.push(request), '192.0.2.1');
    const { socket, head, verdicts } = await setup(t, { checks: [], peerAddress });
    asked.length = 0;
    socket.write(head(`content-length: ${String(body.length)}`) + body);
    assert.equal(await statusOf(socket), 'HTTP/1.1 202');
    await until('its verdict', () => verdicts.length === 1);
    assert.deepEqual([asked.length, asked[0] instanceof Request, verdicts[0]?.outcome], [1, true, 'accepted']);
  });

  test('does not pass by a function around the handler, whatever that copied of it', async (t) => {
    const { handler, begin, verdicts } = partner(t, { checks: [] });
    const { webhookUrl } = await begin();
    const asked: Request[] = [];
    const around = Object.assign((request: Request) => (asked.push(request), handler(request)), handler);
    const url = await listen(t, toNodeListener(around));
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${new URL(webhookUrl).pathname}`, { method: 'POST', headers, body });
    assert.deepEqual([answer.status, asked.length, asked[0] instanceof Request], [202, 1, true]);
    await until('its verdict', () => verdicts.length === 1);
  });
});
