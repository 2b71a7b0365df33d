import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { failures } from '../../../src/contract/index.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { assertFailure } from './support/assert-failure.js';

/* Failures outside of operations. every-operation.test.ts has the common failures of operations. */
let bridge: TestBridge;
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_RATE_LIMIT: '100000' } });
});
after(() => bridge.stop());

for (const path of [
  '/',
  '/v1',
  '/v1/nothing',
  '/v1/auth/login/',
  '/v1/users//licensing-profile',
  '/V1/auth/login',
  '/s/x',
]) {
  test(`${path} is 404.`, async () => {
    assertFailure(await bridge.call('GET', path), 'unknown_route');
  });
}

test('GET /v1/applications/sessions is 405, because sessions is no application id.', async () => {
  const answer = await bridge.call('GET', '/v1/applications/sessions');
  assertFailure(answer, 'method_not_allowed');
  assert.equal(answer.headers.get('allow'), 'POST');
});

for (const [what, text] of [
  ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['no HTTP', 'hello\r\n\r\n'],
  ['a header without end', `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`],
  ['an address with spaces', 'GET /a b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['CONNECT, as to a proxy,', 'CONNECT bridge.example:443 HTTP/1.1\r\nHost: bridge.example:443\r\n\r\n'],
] as const) {
  test(`${what} is 400 in the same shape.`, async () => {
    const raw = await sendRaw(text);
    assert.match(raw, /^HTTP\/1\.1 400 /);
    assert.match(raw, /^x-request-id: req_/im);
    assert.match(raw, /^cache-control: no-store\r$/im);
    assert.match(raw, /^content-security-policy: default-src 'none'; frame-ancestors 'none'\r$/im);
    assert.match(raw, /^x-content-type-options: nosniff\r$/im);
    const body = JSON.parse(raw.slice(raw.indexOf('\r\n\r\n') + 4)) as { code: number };
    assert.equal(body.code, failures.invalid_request[0]);
  });
}

function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(bridge.bridgeUrl).port), '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('close', () => {
      resolve(received);
    });
    socket.on('error', reject);
  });
}

test('An internal error is 500 and shows only the request id, by which the log has the details.', async () => {
  const broken = await startBridge();
  try {
    await broken.context.db.schema.alterTable('credential').renameTo('away').execute();
    const answer = await broken.call('POST', '/v1/auth/login', { body: { clientId: 'a', clientSecret: 'b' } });
    assertFailure(answer, 'internal');
    const requestId = answer.headers.get('x-request-id') ?? '';
    assert.equal(answer.body.details, `request id: ${requestId}`);
    const logged = broken.logged.filter((line) => line.includes(requestId) && line.includes('"level":"error"'));
    assert.equal(logged.length, 1);
    assert.match(logged[0] ?? '', /credential/);
  } finally {
    await broken.stop();
  }
});

test('Every response has the security headers.', async () => {
  for (const path of ['/healthz', '/v1/nothing', '/v1/applications/app_x']) {
    const { headers } = await bridge.call('GET', path);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
  }
});

test('Each request has one log line: the pattern of its route, no path, query, body or token.', async () => {
  const before = bridge.logged.length;
  await bridge.call('PATCH', '/v1/users/canary-user/licensing-profile?q=canary-query', {
    body: { city: 'canary-body' },
  });
  const lines = bridge.logged.slice(before);
  assert.equal(lines.length, 1);
  const entry = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  assert.equal(entry['route'], '/v1/users/:userId/licensing-profile');
  assert.equal(entry['status'], 400);
  assert.equal(entry['mode'], 'test');
  assert.match(String(entry['requestId']), /^req_/);
  assert.doesNotMatch(lines.join(''), /canary/);
  assert.ok(!bridge.logged.join('').includes(bridge.tokens.test));
});

test('A bridge is ready while its database answers, and alive in any case.', async () => {
  const bridge = await startBridge();
  try {
    const look = async (path: string) => (await bridge.call('GET', path, { token: null })).status;
    assert.deepEqual([await look('/healthz'), await look('/readyz')], [200, 200]);
    await bridge.context.db.destroy();
    const answer = await bridge.call('GET', '/readyz', { token: null });
    assert.equal(answer.status, 503);
    assert.equal(answer.body.code, 50301);
    assert.equal(await look('/healthz'), 200);
    assert.equal((await bridge.call('POST', '/readyz')).headers.get('allow'), 'GET');
  } finally {
    await bridge.stop();
  }
});

test('A second stop has no effect.', async () => {
  const bridge = await startBridge();
  await Promise.all([bridge.stop(), bridge.stop()]);
  await assert.rejects(fetch(`${bridge.bridgeUrl}/healthz`));
});
