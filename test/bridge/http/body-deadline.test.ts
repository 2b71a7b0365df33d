import { equal } from 'node:assert/strict';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { test, type TestContext } from 'node:test';
import { serverLimits } from '../../../src/bridge/domain/limits/limits.js';
import { longestUploadMs, watchBody } from '../../../src/bridge/http/body-deadline.js';

const limits = { ...serverLimits, requestMs: 30_000, checkMs: 2_000, uploadBytesPerSecond: 1_000 };

/** Watches a body, and counts how often it is ended. */
function watch(
  t: TestContext,
  { isUpload = false, headers = { 'content-length': '9' } }: { isUpload?: boolean; headers?: IncomingHttpHeaders } = {},
) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let now = 500;
  t.mock.method(performance, 'now', () => now);
  const socket = { bytesRead: 700 };
  const incoming = { headers, complete: false, destroyed: false, socket };
  const watched = { ends: 0 };
  const stop = watchBody(incoming as unknown as IncomingMessage, limits, { isUpload, end: () => (watched.ends += 1) });
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += limits.checkMs) {
      now += limits.checkMs;
      t.mock.timers.tick(limits.checkMs);
    }
    return watched.ends;
  };
  return { incoming, socket, stop, pass };
}

test('A body that is not complete after the time of a request ends it, once.', (t) => {
  const { pass, socket } = watch(t);
  socket.bytesRead += 1_000_000;
  equal(pass(30_000), 0);
  equal(pass(2_000), 1);
  equal(pass(60_000), 1);
});

test('An upload has more time for each byte that arrived since its start.', (t) => {
  const { pass, socket } = watch(t, { isUpload: true });
  socket.bytesRead += 10_000;
  equal(pass(40_000), 0);
  socket.bytesRead += 2_000;
  equal(pass(2_000), 0);
  equal(pass(2_000), 1);
});

for (const [what, change] of [
  ['that is complete', { complete: true }],
  ['of a closed connection', { destroyed: true }],
] as const) {
  test(`A body ${what} is not watched any more.`, (t) => {
    const { pass, incoming } = watch(t);
    equal(pass(10_000), 0);
    Object.assign(incoming, change);
    equal(pass(60_000), 0);
  });
}

test('A watch can be stopped.', (t) => {
  const { pass, stop } = watch(t);
  stop();
  equal(pass(60_000), 0);
});

for (const headers of [{}, { 'content-length': '0' }]) {
  test(`A request without a body needs no watch: ${JSON.stringify(headers)}.`, (t) => {
    equal(watch(t, { headers }).pass(60_000), 0);
  });
}

test('A body in chunks is watched, too.', (t) => {
  equal(watch(t, { headers: { 'transfer-encoding': 'chunked' } }).pass(32_000), 1);
});

test('The longest upload is the time of a request and of all its bytes at the lowest rate, in whole milliseconds.', () => {
  equal(longestUploadMs({ ...limits, uploadBytesPerSecond: 3 }, 10), 33_334);
});
