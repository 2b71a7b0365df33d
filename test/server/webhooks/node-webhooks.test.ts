import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { suite, test, type TestContext } from 'node:test';
import type { ReceivedWebhook } from '../../../src/server/index.js';
import { toNodeListener } from '../../../src/server/node.js';
import { connectTo, listen } from '../support/listen.js';
import { partner, webhook, type PartnerOptions } from '../support/partner.js';
import { until } from '../support/until.js';

const body = JSON.stringify(webhook('evt_1', 'application.session_started'));
const length = `content-length: ${String(body.length)}`;

/** A partner on `node:http` with one application, and a connection to it. */
async function setup(test: TestContext, options: PartnerOptions = {}) {
  const backend = partner(test, options);
  const path = new URL((await backend.begin()).webhookUrl).pathname;
  const listener = toNodeListener(backend.handler);
  const arrived: IncomingMessage[] = [];
  const url = await listen(test, (request, response) => {
    arrived.push(request);
    listener(request, response);
  });
  const socket = connectTo(test, url);
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  const head = (...headers: string[]) =>
    [`POST ${path} HTTP/1.1`, 'host: localhost', 'content-type: application/json', ...headers, '', ''].join('\r\n');
  return { ...backend, url, path, socket, head, arrived, received: () => text };
}

const statuses = (text: string) => [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));

async function assertClosed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close');
}

suite('Webhooks on node:http', () => {
  test('Webhooks in one packet, in pieces and in chunks are answered one after the other, and the connection stays open.', async (t) => {
    const { socket, head, received } = await setup(t);
    socket.write((head(length) + body).repeat(3));
    await until('three answers', () => statuses(received()).length === 3);
    socket.write(head('transfer-encoding: chunked'));
    for (const piece of [body.slice(0, 40), body.slice(40)]) {
      socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
    }
    socket.write('0\r\n\r\n');
    await until('one more answer', () => statuses(received()).length === 4);
    assert.deepEqual(statuses(received()), [204, 204, 204, 204]);
    assert.doesNotMatch(received(), /connection: close/i);
  });

  test('verifyWebhook receives every line of a header, and the address at the other end of the connection.', async (t) => {
    const seen: [Headers, ReceivedWebhook][] = [];
    const { socket, head, received } = await setup(t, {
      verifyWebhook: ({ headers }, given) => seen.push([headers, given]) > 0,
    });
    socket.write(head(length, 'X-Forwarded-For: 192.0.2.1', 'x-forwarded-for: 192.0.2.2') + body);
    await until('the answer', () => statuses(received()).length === 1);
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
    await assertClosed(socket);
  });
});
