import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { failures, failureStatus, operations, type FailureName, type Operation } from '../../../src/contract/index.js';
import { startBridge, type AnyBody, type CallAnswer, type TestBridge } from '../../support/bridge.js';

let bridge: TestBridge;
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_RATE_LIMIT: '100000' } });
});
after(() => bridge.stop());

const rows: [string, Operation][] = Object.entries(operations);
const pathOf = ({ path }: Operation) => path.replace(/\{\w+\}/g, 'app_unknown');

function assertFailure(answer: CallAnswer, name: FailureName): void {
  const [code, errorMessage] = failures[name];
  assert.equal(answer.status, failureStatus(name), JSON.stringify(answer.body));
  assert.deepEqual(Object.keys(answer.body as object).sort(), ['code', 'details', 'errorMessage']);
  assert.equal(answer.body.code, code, JSON.stringify(answer.body));
  assert.equal(answer.body.errorMessage, errorMessage);
  assert.equal(typeof answer.body.details, 'string');
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.match(answer.headers.get('x-request-id') ?? '', /^req_/);
  if (answer.status === 401) assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
}

for (const [id, operation] of rows) {
  describe(id, () => {
    const { method, auth, body } = operation;
    const path = pathOf(operation);

    test('another method is 405 and says which there are', async () => {
      const answer = await bridge.call(method === 'GET' ? 'DELETE' : 'PUT', path);
      assertFailure(answer, 'method_not_allowed');
      assert.ok(answer.headers.get('allow')?.split(', ').includes(method));
    });

    if (auth === 'bearer' || auth === 'test') {
      for (const [what, token] of [
        ['no token', null],
        ['an unknown token', 'x'.repeat(43)],
        ['something that is no token', '%%%'],
      ] as const) {
        test(`${what} is 401, whatever the body`, async () => {
          assertFailure(await bridge.call(method, path, { token, body: body ? '{' : undefined }), 'invalid_token');
        });
      }
      test('another scheme is 401', async () => {
        const headers = { authorization: 'Basic dXNlcjpwYXNz' };
        assertFailure(await bridge.call(method, path, { token: null, headers }), 'invalid_token');
      });
    }

    if (body) {
      test('no body is 400', async () => {
        assertFailure(await bridge.call(method, path), 'missing_body');
        const headers = { 'content-type': 'application/json' };
        assertFailure(await bridge.call(method, path, { headers }), 'missing_body');
      });
      for (const text of ['{', '{"a":1,}', 'undefined', '\u{feff}{}x', "{'a':1}"]) {
        test(`the body ${JSON.stringify(text)} is 400`, async () => {
          assertFailure(await bridge.call(method, path, { body: text }), 'malformed_json');
        });
      }
      for (const text of ['null', '[]', '"text"', '1', 'true']) {
        test(`the body ${text} is 400: an object is expected`, async () => {
          assertFailure(await bridge.call(method, path, { body: text }), 'invalid_request');
        });
      }
      test('a key that is not taken is 400 and named', async () => {
        const answer = await bridge.call(method, path, { body: { ...validBody(id), surprise: 1 } });
        assertFailure(answer, 'unknown_key');
        assert.match(answer.body.details, /^surprise: /);
      });
      test('nesting without end is 400', async () => {
        const text = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
        assertFailure(await bridge.call(method, path, { body: text }), 'invalid_request');
      });
      test('another media type is 415', async () => {
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'application/jsonp',
          'multipart/form-data',
        ]) {
          const answer = await bridge.call(method, path, { body: '{}', headers: { 'content-type': type } });
          assertFailure(answer, 'unsupported_media_type');
        }
        const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
        assertFailure(await bridge.call(method, path, { body: '{}', headers }), 'unsupported_media_type');
      });
      test('a charset in the media type is fine', async () => {
        const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
        const answer = await bridge.call(method, path, { body: '{', headers });
        assertFailure(answer, 'malformed_json');
      });
      test('a body over 1 MiB is 413, with and without a Content-Length', async () => {
        const big = `{"a":"${'x'.repeat(1_048_576)}"}`;
        assertFailure(await bridge.call(method, path, { body: big }), 'body_too_large');
        assertFailure(await streamed(method, path, big), 'body_too_large');
      });
    } else {
      test('a body is ignored', async () => {
        const sent = method === 'GET' ? undefined : 'not json at all';
        const answer = await bridge.call(method, path, { body: sent, headers: { 'content-type': 'text/plain' } });
        assert.ok([400, 401, 404].includes(answer.status));
        assert.notEqual(answer.body.code, failures.malformed_json[0]);
      });
    }
  });
}

/** Bodies that pass their schemas. */
function validBody(id: string): object {
  if (id === 'login') return { clientId: 'a', clientSecret: 'b' };
  if (id === 'decideState') return { status: 'approved' };
  if (id !== 'createSession') return {};
  const slugs = { applicationType: 'new', licenseType: 'life_health' };
  return { userId: 'u', ...slugs, states: ['TX'], returnUrl: 'https://partner.example/done' };
}

/** Sends a body in chunks, without saying how long it will be. */
function streamed(method: string, path: string, text: string): Promise<CallAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${bridge.tokens.test}`, 'content-type': 'application/json' };
    const sending = request(`${bridge.bridgeUrl}${path}`, { method, headers }, (incoming) => {
      let body = '';
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
      incoming.on('end', () => {
        resolve({
          status: incoming.statusCode ?? 0,
          headers: new Headers(incoming.headers as Record<string, string>),
          body: JSON.parse(body) as AnyBody,
        });
      });
    });
    // The bridge may close while we are still sending: the answer is what counts.
    sending.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error);
    });
    for (let at = 0; at < text.length; at += 65_536) sending.write(text.slice(at, at + 65_536));
    sending.end();
  });
}

for (const path of [
  '/',
  '/v1',
  '/v1/nothing',
  '/v1/auth/login/',
  '/v1/users//licensing-profile',
  '/V1/auth/login',
  '/s/x',
]) {
  test(`${path} is 404`, async () => {
    assertFailure(await bridge.call('GET', path), 'unknown_route');
  });
}

test('GET /v1/applications/sessions is 405: sessions is no application id', async () => {
  const answer = await bridge.call('GET', '/v1/applications/sessions');
  assertFailure(answer, 'method_not_allowed');
  assert.equal(answer.headers.get('allow'), 'POST');
});

test('unknown query parameters are ignored', async () => {
  assertFailure(await bridge.call('GET', '/v1/applications/app_x?a=1&b[]=2&c'), 'unknown_application');
});

for (const [what, text] of [
  ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['no HTTP', 'hello\r\n\r\n'],
  ['a header without end', `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`],
  ['an address with spaces', 'GET /a b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
] as const) {
  test(`${what} is 400 in the same shape`, async () => {
    const raw = await sendRaw(text);
    assert.match(raw, /^HTTP\/1\.1 400 /);
    assert.match(raw, /^x-request-id: req_/im);
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

test('a crash is 500 and shows nothing but the id of the request, under which the log has the rest', async () => {
  const broken = await startBridge();
  try {
    await broken.context.db.schema.dropTable('login_failure').execute();
    const answer = await broken.call('POST', '/v1/auth/login', { body: { clientId: 'a', clientSecret: 'b' } });
    assertFailure(answer, 'internal');
    const requestId = answer.headers.get('x-request-id') ?? '';
    assert.equal(answer.body.details, `request id: ${requestId}`);
    const logged = broken.logged.filter((line) => line.includes(requestId) && line.includes('"level":"error"'));
    assert.equal(logged.length, 1);
    assert.match(logged[0] ?? '', /login_failure/);
  } finally {
    await broken.stop();
  }
});

test('every answer has the security headers', async () => {
  for (const path of ['/healthz', '/v1/nothing', '/v1/applications/app_x']) {
    const { headers } = await bridge.call('GET', path);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
  }
});

test('one log line a request: the pattern of its route, no path, query, body or token', async () => {
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
