import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { operations, type Operation, type OperationId } from '../../../src/contract/index.js';
import { bodyBytes } from '../../../src/bridge/domain/limits/limits.js';
import { deactivateAgency } from '../../../src/bridge/index.js';
import { createOpenApiDocument } from '../../../src/bridge/http/openapi/document.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { callOperation, urlOf, type CallParts } from '../../support/call-operation.js';
import { assertFailure } from './support/assert-failure.js';
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
        else
          assertFailure(
            { status: 405, headers: response.headers, body: JSON.parse(text) as unknown },
            'method_not_allowed',
          );
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

    if (!body) return;

    test('A missing body is 400.', async () => {
      for (const headers of [{}, json]) {
        assertFailure(await changed(id, { body: undefined, headers }), 'missing_body');
        assertFailure(await changed(id, { body: '', headers }), 'missing_body');
      }
    });

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
      for (const header of [{ 'content-type': 'text/plain' }, { ...json, 'content-encoding': 'gzip' }]) {
        assertFailure(await changed(id, { headers: header }), 'unsupported_media_type');
      }
      const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
      assertFailure(await changed(id, { body: '{', headers }), 'malformed_json');
    });

    test('A body above the limit of the operation is 413; a body at the limit is read.', async () => {
      const bound = bodyBytes[id as keyof typeof bodyBytes];
      const ofSize = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`;
      const { details } = assertFailure(await changed(id, { body: ofSize(bound + 1) }), 'body_too_large');
      assert.equal(details, `body: expected at most ${bound} bytes`);
      assert.equal((await changed(id, { body: ofSize(bound) })).status, 400);
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
