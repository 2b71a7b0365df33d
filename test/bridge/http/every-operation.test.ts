import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { operations, type Operation, type OperationId } from '../../../src/contract/index.js';
import { bodyBytes } from '../../../src/bridge/domain/limits/limits.js';
import { deactivateAgency } from '../../../src/bridge/index.js';
import { createOpenApiDocument } from '../../../src/bridge/http/openapi/document.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { callOperation, urlOf, type CallParts } from '../../support/call-operation.js';
import { assertFailure, assertFailureShape, type AnyAnswer } from './support/assert-failure.js';
import { createScene, type Scene } from './support/scene.js';

/*
 * The common behavior of all operations, in one loop over the table. Other files test their own
 * rules.
 */
let bridge: TestBridge;
let scene: Scene;
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_RATE_LIMIT: '100000' } });
  scene = await createScene(bridge);
});
after(() => bridge.stop());

const rows = Object.entries(operations) as [OperationId, Operation][];
const call = (id: OperationId, parts: CallParts) => callOperation(bridge.bridgeUrl, id, parts);
const json = { 'content-type': 'application/json' };

/** A successful call with one change. */
const changed = (id: OperationId, parts: CallParts) => call(id, { ...scene.calls[id], ...parts });

/** The required fields of each body, from the document. */
const required = new Map(
  rows.map(([id, { path, method }]) => {
    const { paths, components } = createOpenApiDocument('http://x');
    const schema = paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'].schema;
    const name = schema?.$ref?.split('/').at(-1) ?? '';
    return [id, components.schemas[name === 'ProducerOnboardRequest' ? 'TeamOnboardRequest' : name]?.required ?? []];
  }),
);

for (const [id, { method, auth, body, statuses }] of rows) {
  describe(id, () => {
    for (const other of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (other === method || (other === 'HEAD' && method === 'GET')) continue;
      test(`${other} is 405 and lists the allowed methods.`, async () => {
        const { params, query, token = '' } = scene.calls[id];
        const url = urlOf(id, { ...(params && { params }), ...(query && { query }) });
        const headers = { authorization: `Bearer ${token}` };
        const response = await fetch(`${bridge.bridgeUrl}${url}`, { method: other, headers });
        assert.equal(response.status, 405);
        assert.equal(response.headers.get('allow'), method);
        const text = await response.text();
        if (other === 'HEAD') assert.equal(text, '');
        else assertFailure({ ...answerOf(response), body: JSON.parse(text) as unknown }, 'method_not_allowed');
      });
    }

    if (method === 'GET') {
      test('HEAD is GET without the body.', async () => {
        const { params, query, token = '' } = scene.calls[id];
        const url = urlOf(id, { ...(params && { params }), ...(query && { query }) });
        const headers = { authorization: `Bearer ${token}` };
        const response = await fetch(`${bridge.bridgeUrl}${url}`, { method: 'HEAD', headers });
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('content-type'), 'application/json');
        assert.equal(await response.text(), '');
      });
    }

    if (auth !== 'none') {
      const bad: [what: string, parts: CallParts][] = [
        ['an unknown token', { token: 'x'.repeat(43) }],
        ['something that is no token', { token: '%%%' }],
        ['another scheme', { token: undefined, headers: { authorization: 'Basic dXNlcjpwYXNz' } }],
        ['an endless token', { token: 'x'.repeat(5_000) }],
        ...(auth === 'optional' ? [] : [['no token', { token: undefined }] satisfies [string, CallParts]]),
      ];
      for (const [what, parts] of bad) {
        test(`${what} is 401, whatever the body.`, async () => {
          assertFailure(await changed(id, { ...parts, ...(body ? { body: '{' } : {}) }), 'invalid_token');
        });
      }
      test('The token of a deactivated agency is refused as declared.', async () => {
        const { agencyId, calls } = await createScene(bridge);
        await deactivateAgency(bridge.context, agencyId);
        const name = statuses.includes(403) ? 'agency_deactivated' : 'agency_deactivated_token';
        assertFailure(await call(id, calls[id]), name);
      });
    }

    if (!body) {
      test('An unexpected body is ignored.', async () => {
        const { calls } = await createScene(bridge);
        assert.equal(await statusWithBody(id, calls[id]), 200);
      });
      return;
    }

    test('A missing body is 400.', async () => {
      for (const headers of [{}, json]) {
        assertFailure(await changed(id, { body: undefined, headers }), 'missing_body');
        assertFailure(await changed(id, { body: '', headers }), 'missing_body');
      }
    });

    for (const text of ['{', '{"a":1,}', 'undefined', '\u{feff}{}x', "{'a':1}"]) {
      test(`The body ${JSON.stringify(text)} is 400.`, async () => {
        assertFailure(await changed(id, { body: text }), 'malformed_json');
      });
    }

    for (const text of ['null', '[]', '"text"', '1', 'true']) {
      test(`The body ${text} is 400, because an object is expected.`, async () => {
        assertFailure(await changed(id, { body: text }), 'invalid_request');
      });
    }

    test('An unknown key is 400 and named.', async () => {
      const answer = await changed(id, { body: { ...(scene.calls[id].body as object), surprise: 1 } });
      assert.match(assertFailure(answer, 'unknown_key').details, /^surprise: /);
    });

    test('Each field of a wrong type, and each missing required field, is 400 and named.', async () => {
      const valid = scene.calls[id].body as Record<string, unknown>;
      for (const field of Object.keys(valid)) {
        for (const value of [true, -1.5, [[]], 'x'.repeat(3_000)]) {
          const { details } = assertFailure(
            await changed(id, { body: { ...valid, [field]: value } }),
            'invalid_request',
          );
          assert.match(details, new RegExp(`(^|[ ,])${field}\\b`), `${field} = ${JSON.stringify(value).slice(0, 50)}`);
        }
        const { [field]: _missing, ...rest } = valid;
        if (!required.get(id)?.includes(field)) continue;
        assert.match(assertFailure(await changed(id, { body: rest }), 'invalid_request').details, new RegExp(field));
      }
    });

    test('Excessive nesting is 400.', async () => {
      const text = `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`;
      assertFailure(await changed(id, { body: text }), 'invalid_request');
    });

    test('Another media type is 415, and a charset is accepted.', async () => {
      const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'multipart/form-data'];
      for (const type of types) {
        assertFailure(await changed(id, { headers: { 'content-type': type } }), 'unsupported_media_type');
      }
      assertFailure(await changed(id, { headers: { ...json, 'content-encoding': 'gzip' } }), 'unsupported_media_type');
      const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
      assertFailure(await changed(id, { body: '{', headers }), 'malformed_json');
    });

    test('A body above the limit of the operation is 413, with and without Content-Length; a body at the limit is read.', async () => {
      const bound = bodyBytes[id as keyof typeof bodyBytes];
      const ofSize = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`;
      for (const send of [(body: string) => changed(id, { body }), (body: string) => streamed(id, body)]) {
        const { details } = assertFailure(await send(ofSize(bound + 1)), 'body_too_large');
        assert.equal(details, `body: expected at most ${String(bound)} bytes`);
        assert.equal((await send(ofSize(bound))).status, 400);
      }
    });
  });
}

test('A success of each operation has the same headers as a failure.', async () => {
  const { calls } = await createScene(bridge);
  for (const [id] of rows) {
    // These two end the tokens of their agency.
    const isLast = id === 'createAccountCredential' || id === 'resetCredential';
    const { status, headers, body } = await call(id, (isLast ? await createScene(bridge) : { calls }).calls[id]);
    assert.equal(status, 200, `${id}: ${JSON.stringify(body)}`);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.match(headers.get('x-request-id') ?? '', /^req_/);
    assert.equal(headers.get('cache-control'), 'no-store');
  }
});

/** Calls an operation with a body that is not JSON. `fetch` sends no body with GET. */
async function statusWithBody(id: OperationId, { params, query, token = '' }: CallParts): Promise<number | undefined> {
  const url = `${bridge.bridgeUrl}${urlOf(id, { ...(params && { params }), ...(query && { query }) })}`;
  const headers = { 'content-type': 'text/plain', 'content-length': '15', authorization: `Bearer ${token}` };
  const sending = request(url, { method: operations[id].method, headers });
  sending.end('not json at all');
  const [incoming] = (await once(sending, 'response')) as [IncomingMessage];
  incoming.resume();
  return incoming.statusCode;
}

function answerOf({ status, headers }: Response): Omit<AnyAnswer, 'body'> {
  return { status, headers };
}

/** Sends a body in chunks, without a Content-Length. */
function streamed(id: OperationId, text: string): Promise<AnyAnswer> {
  return new Promise((resolve, reject) => {
    const { params, token = '' } = scene.calls[id];
    // Node's client sends no length of a DELETE's body by default.
    const headers = { ...json, authorization: `Bearer ${token}`, 'transfer-encoding': 'chunked' };
    const url = `${bridge.bridgeUrl}${urlOf(id, params ? { params } : {})}`;
    const sending = request(url, { method: operations[id].method, headers }, (incoming) => {
      let body = '';
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
      incoming.on('end', () => {
        const answer = {
          status: incoming.statusCode ?? 0,
          headers: new Headers(incoming.headers as Record<string, string>),
          body: JSON.parse(body) as unknown,
        };
        assertFailureShape(answer);
        resolve(answer);
      });
    });
    // The bridge may close the connection during the upload; only the response counts.
    sending.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error);
    });
    for (let at = 0; at < text.length; at += 65_536) sending.write(text.slice(at, at + 65_536));
    sending.end();
  });
}
