import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { isBridgeClientError, type BridgeClientErrorCode } from '../../../src/server/index.js';
import { applicationBody, rejection, setup } from '../support/client.js';
import { silence, truncate, type Behaviour } from '../support/hostile-bridge.js';
import { manualClock } from '../support/manual-clock.js';
import { operationCases } from '../support/operations.js';
import { until } from '../support/until.js';
import { assertNoSecrets, allSecrets, ssn } from './secrets.js';

const whole = JSON.stringify(applicationBody);

/** Answers with this body. */
function answer(status: number, body: string | Buffer, headers: Record<string, string> = {}): Behaviour {
  return (response) => response.writeHead(status, headers).end(body);
}

/** Writes bytes in place of a response, then closes the connection. */
function bytes(text: string): Behaviour {
  return ({ socket }) => socket?.end(text);
}

/** The code of the error, and how often a call that may be repeated is sent with `retries: 2`. */
type Outcome = [code: BridgeClientErrorCode, sent: number];
const lost: Outcome = ['unreachable', 3];
const noAnswer: Outcome = ['timeout', 1];
const unreadable: Outcome = ['unreadable', 1];
const html = { 'content-type': 'text/html' };
const gzip = { 'content-encoding': 'gzip' };
const faults: Record<string, [fault: Behaviour, ...outcome: Outcome]> = {
  'a connection that ends': [bytes(''), ...lost],
  'half a status line': [bytes('HTTP/1.1 2'), ...lost],
  'something that is not HTTP': [bytes(`${allSecrets}\r\n\r\n`), ...lost],
  'headers without end': [bytes(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n${whole}`), ...lost],
  'a body that ends too early': [truncate, ...lost],
  'a body that is not compressed as it says': [answer(200, whole, gzip), ...lost],
  nothing: [silence, ...noAnswer],
  'headers, and no body': [(response) => response.writeHead(200).flushHeaders(), ...noAnswer],
  'half of the JSON': [answer(200, whole.slice(0, 60)), ...unreadable],
  // Node's fetch accepts the received part and does not report the missing one.
  'a compressed body cut short': [answer(200, gzipSync(whole).subarray(0, 40), gzip), ...unreadable],
  'an empty body': [answer(200, ''), ...unreadable],
  'a page': [answer(200, `<!doctype html><p>${allSecrets}</p>`, html), ...unreadable],
  'JSON that is no object': [answer(200, `"${allSecrets}"`), ...unreadable],
  'a page of a proxy, 502': [answer(502, `<h1>${allSecrets}</h1>`, html), 'unavailable', 3],
  'an empty 429': [answer(429, ''), 'rate_limited', 3],
};

for (const [what, [fault, code, expected]] of Object.entries(faults)) {
  test(`A call that is answered with ${what} is sent ${expected} times and is ${code}.`, async (t) => {
    const clock = manualClock();
    const { server, client, entries } = await setup(t, code === 'timeout' ? { clock } : {});
    const { path } = operationCases.lookUpNpn;
    server.behave(path, fault);
    const failing = rejection(client.producers.lookUpNpn({ lastName: 'Sample', ssn }));
    if (code === 'timeout') {
      await until('the request', () => server.requestsTo(path).length === 1);
      await clock.advance(10_000);
    }
    const error = await failing;
    assert.deepEqual([error.code, server.requestsTo(path).length], [code, expected]);
    assert.equal(error.retryable, expected > 1 || code === 'timeout');
    assert.equal(entries.filter(({ event }) => event === 'bridge.call').length, 1 + expected);
    assertNoSecrets(error, entries);
  });
}

test('The error is recognized across realms.', () => {
  const foreign: unknown = runInNewContext(
    'Object.assign(new Error("no"), { name: "BridgeClientError", code: "refused" })',
  );
  assert.equal(foreign instanceof Error, false);
  assert.equal(isBridgeClientError(foreign), true);
  for (const other of [null, undefined, 'BridgeClientError', {}, new Error('no')]) {
    assert.equal(isBridgeClientError(other), false);
  }
});
