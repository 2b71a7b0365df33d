import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { BridgeClientErrorCode, Clock, LogEntry } from '../../../src/server/index.js';
import { createBridgeClient } from '../../../src/server/index.js';
import { applicationBody, clientSecret, rejection } from '../support/client.js';
import { manualClock } from '../support/manual-clock.js';
import { until } from '../support/until.js';
import { assertNoSecrets, allSecrets, ssn } from './secrets.js';
import { answer, rawBridge, type Fault, type RawBehaviour } from './raw-bridge.js';

const whole = JSON.stringify(applicationBody);
const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: ${clientSecret}\r\n`;

/** Writes bytes, then closes or resets the connection. */
function sayAnd(end: 'end' | 'reset', text: string): Fault {
  return (socket) => void socket.write(text, () => (end === 'end' ? socket.end() : socket.resetAndDestroy()));
}

/** Sends single bytes, so that no pause is long, and never ends. */
const slowLoris: Fault = (socket) => {
  socket.write(`${head}content-length: 100000\r\n\r\n`);
  const timer = setInterval(() => socket.write(' '), 5);
  socket.on('close', () => clearInterval(timer));
};

/** The code of the error, and how often a call that may be repeated is sent with `retries: 2`. */
type Outcome = [code: BridgeClientErrorCode, sent: number];
const lost: Outcome = ['unreachable', 3];
const noAnswer: Outcome = ['timeout', 1];
const unreadable: Outcome = ['unreadable', 1];
const faults: Record<string, [fault: Fault, ...outcome: Outcome]> = {
  'the connection is reset once the request is there': [(socket) => socket.resetAndDestroy(), ...lost],
  'the connection ends without an answer': [(socket) => socket.end(), ...lost],
  'half a status line': [sayAnd('end', 'HTTP/1.1 2'), ...lost],
  'half the headers': [sayAnd('reset', head), ...lost],
  'something that is not HTTP': [sayAnd('end', `${allSecrets}\r\n\r\n`), ...lost],
  'headers without end': [sayAnd('end', `${head}x: ${'x'.repeat(100_000)}\r\n\r\n${whole}`), ...lost],
  'a body that is reset': [sayAnd('reset', `${head}content-length: 1000\r\n\r\n${whole.slice(0, 30)}`), ...lost],
  'a body that ends too early': [sayAnd('end', `${head}content-length: 1000\r\n\r\n${whole}`), ...lost],
  'chunks that end too early': [sayAnd('end', `${head}transfer-encoding: chunked\r\n\r\n5\r\n{"app\r\n`), ...lost],
  'chunks of no size': [sayAnd('end', `${head}transfer-encoding: chunked\r\n\r\nsize\r\n${whole}`), ...lost],
  'a body that is not compressed as it says': [answer(200, whole, ['content-encoding: gzip']), ...lost],
  'no answer at all': [() => undefined, ...noAnswer],
  'headers, and no body': [(socket) => void socket.write(`${head}content-length: 10\r\n\r\n`), ...noAnswer],
  'a byte now and then': [slowLoris, ...noAnswer],
  'half of the JSON': [answer(200, whole.slice(0, 60)), ...unreadable],
  // Node's fetch accepts the received part and does not report the missing one.
  'a compressed body cut short': [
    answer(200, gzipSync(whole).subarray(0, 40), ['content-encoding: gzip']),
    ...unreadable,
  ],
  'an empty body': [answer(200, ''), ...unreadable],
  'a page': [answer(200, `<!doctype html><p>${allSecrets}</p>`, ['content-type: text/html']), ...unreadable],
  'JSON that is no object': [answer(200, `"${allSecrets}"`), ...unreadable],
  'bytes that are no text': [answer(200, Buffer.alloc(1_000, 0xff)), ...unreadable],
  'a page of a proxy, 502': [answer(502, `<h1>${allSecrets}</h1>`, ['content-type: text/html']), 'unavailable', 3],
  'an empty 500': [answer(500, ''), 'unavailable', 3],
  'an empty 429': [answer(429, ''), 'rate_limited', 3],
  'a redirect': [answer(307, '', [`location: /elsewhere?${encodeURIComponent(allSecrets)}`]), 'refused', 1],
};

/** A client of a server that misbehaves. */
async function setup(t: Parameters<typeof rawBridge>[0], behaviour: RawBehaviour, clock?: Clock) {
  const server = await rawBridge(t, behaviour);
  const entries: LogEntry[] = [];
  const credentials = { clientId: 'client_1', clientSecret };
  const log = (entry: LogEntry) => void entries.push(entry);
  const client = createBridgeClient({
    baseUrl: server.url,
    ...credentials,
    random: () => 0,
    log,
    ...(clock && { clock }),
  });
  await client.auth.login();
  return { server, client, entries };
}

for (const [what, [fault, code, expected]] of Object.entries(faults)) {
  test(`A call that is answered with ${what} is sent ${String(expected)} times and is ${code}.`, async (t) => {
    const clock = manualClock();
    const { server, client, entries } = await setup(t, { fault }, code === 'timeout' ? clock : undefined);
    const failing = rejection(client.producers.lookUpNpn({ lastName: 'Sample', ssn }));
    if (code === 'timeout') {
      await until('the request', () => server.requests.length === 1);
      await clock.advance(10_000);
    }
    const error = await failing;
    assert.deepEqual([error.code, server.requests.length], [code, expected]);
    assert.equal(error.retryable, expected > 1 || code === 'timeout');
    assert.equal(entries.filter(({ event }) => event === 'bridge.call').length, 1 + expected);
    assertNoSecrets(error, entries);
  });
}

test('A connection that is reset before anything was sent counts as a broken one.', async (t) => {
  const { server, client, entries } = await setup(t, {
    fault: answer(200, whole),
    onConnection: (socket) => socket.resetAndDestroy(),
  });
  // The platform does not report that nothing was sent, so only repeatable calls are sent again.
  for (const [call, expected] of [
    [() => client.producers.lookUpNpn({ lastName: 'Sample', ssn }), 3],
    [() => client.account.resetCredential(), 1],
  ] as const) {
    const before = server.connections();
    const error = await rejection(call());
    assert.equal(error.code, 'unreachable');
    assert.equal(server.connections() - before, expected);
    assertNoSecrets(error, entries);
  }
  assert.deepEqual(server.requests, []);
});

test('A valid file of any name and size is read.', async (t) => {
  const large = JSON.stringify({ ...applicationBody, note: 'x'.repeat(20_000_000) });
  const answers = [answer(200, whole, ['content-type: text/plain']), answer(201, whole), answer(200, large)];
  const gzipped = answer(200, gzipSync(whole), ['content-encoding: gzip', 'content-type: application/json']);
  for (const fault of [...answers, gzipped]) {
    const { client } = await setup(t, { fault });
    assert.equal((await client.applications.get('app_1')).applicationId, 'app_1');
  }
});

test('A closed kept-alive connection is opened again.', async (t) => {
  let requests = 0;
  const { client } = await setup(t, {
    fault(socket) {
      requests += 1;
      const keep = `HTTP/1.1 200 OK\r\ncontent-length: ${String(whole.length)}\r\n\r\n${whole}`;
      socket.write(keep, () => socket.end());
    },
  });
  for (let call = 0; call < 20; call += 1) {
    assert.equal((await client.applications.get('app_1')).applicationId, 'app_1');
  }
  assert.ok(requests >= 20);
});
