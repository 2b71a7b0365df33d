import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createBridgeClient, isBridgeClientError, type LogEntry } from '../../../src/server/index.js';
import { applicationBody, clientSecret } from '../support/client.js';
import { assertNoSecrets, allSecrets, ssn } from './secrets.js';
import { rawBridge, type Fault } from './raw-bridge.js';

/** Responses of servers and proxies, each with a secret that must not be shown. */
const words = fc.oneof(
  fc.constant(allSecrets),
  fc.constant(JSON.stringify({ code: 40001, details: allSecrets, errorMessage: allSecrets })),
  fc.constant(JSON.stringify(applicationBody)),
  fc.json().map((text) => `${text}${allSecrets}`),
  fc.string({ maxLength: 200 }),
);
const headerNames = ['x-request-id', 'retry-after', 'location', 'content-type', 'content-encoding', 'content-length'];
const header = fc.tuple(
  fc.constantFrom(...headerNames),
  fc.oneof(fc.constantFrom('0', '7', 'gzip', 'application/json', ssn, clientSecret), fc.string({ maxLength: 20 })),
);
interface Given {
  status: number;
  headers: [string, string][];
  body: string;
  /** The number of bytes before the connection ends. */
  bytes: number;
  isReset: boolean;
}
const answers: fc.Arbitrary<Given> = fc.record({
  status: fc.oneof(fc.constantFrom(200, 204, 302, 400, 401, 404, 429, 500, 503), fc.integer({ min: 200, max: 599 })),
  headers: fc.array(header, { maxLength: 4 }),
  body: words,
  bytes: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(300)),
  isReset: fc.boolean(),
});
/** Rare cases that must occur. */
const examples = [
  { status: 200, body: JSON.stringify(applicationBody) },
  { status: 200, body: allSecrets },
  { status: 400, body: allSecrets },
  { status: 503, body: '' },
  { status: 200, body: '', bytes: 0, isReset: true },
].map((answer): [Given] => [{ headers: [], bytes: Number.POSITIVE_INFINITY, isReset: false, ...answer }]);
const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));

/** Sends the generated answer, as far as possible. */
function sending(next: () => Buffer, isReset: () => boolean): Fault {
  return (socket) => socket.write(next(), () => (isReset() ? socket.resetAndDestroy() : socket.end()));
}

test('For any response of a server, a call ends with a result or with a BridgeClientError without its content.', async (t) => {
  let current: { bytes: Buffer; isReset: boolean } = { bytes: Buffer.alloc(0), isReset: false };
  const fault = sending(
    () => current.bytes,
    () => current.isReset,
  );
  const server = await rawBridge(t, { fault });
  const entries: LogEntry[] = [];
  const client = createBridgeClient({
    baseUrl: server.url,
    clientId: 'client_1',
    clientSecret,
    random: () => 0,
    timeoutMs: 2_000,
    log: (entry) => entries.push(entry),
  });
  const seen = new Set<string>();
  const check = async (bytes: Buffer, isReset: boolean) => {
    current = { bytes, isReset };
    entries.length = 0;
    const calls = [client.applications.get('app_1'), client.producers.lookUpNpn({ lastName: 'Sample', ssn })];
    for (const call of await Promise.allSettled(calls)) {
      seen.add(
        call.status === 'fulfilled' ? 'answer' : isBridgeClientError(call.reason) ? call.reason.code : 'another',
      );
      if (call.status === 'fulfilled') continue;
      assert.ok(isBridgeClientError(call.reason), String(call.reason));
      assertNoSecrets(call.reason, entries);
    }
  };

  await fc.assert(
    fc.asyncProperty(answers, async ({ status, headers, body, bytes, isReset }) => {
      const lines = headers.map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]/g, ' ')}`);
      const text = [`HTTP/1.1 ${String(status)} S`, ...lines, 'connection: close', '', body].join('\r\n');
      await check(Buffer.from(text).subarray(0, bytes), isReset);
    }),
    { numRuns: 300, examples },
  );
  await fc.assert(
    fc.asyncProperty(noise, fc.boolean(), async (bytes, isReset) => check(bytes, isReset)),
    { numRuns: 100 },
  );
  for (const code of ['answer', 'unreachable', 'unavailable', 'refused', 'unreadable']) {
    assert.ok(seen.has(code), `${code} was never met: ${[...seen].join()}`);
  }
});
