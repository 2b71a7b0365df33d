import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { deactivateAgency } from '../../../src/bridge/index.js';
import { operations, type Operation, type OperationId } from '../../../src/contract/index.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { callOperation, type CallParts, type OperationAnswer } from '../../support/call-operation.js';
import { createScene, type Scene } from '../http/support/scene.js';
import { isObject, resolve, type Json } from './schema-meaning.js';
import { startPrism, type Prism } from './prism.js';

/*
 * A client that uses every operation, a validating proxy of somebody else's with a contract of somebody else's, and the real
 * bridge behind it. The proxy refuses requests and answers that break the contract; statuses, types and headers that the
 * contract does not have, it only mentions, so those are looked at here.
 */
const contract = new URL('openapi.yaml', import.meta.url);
const document = parse(readFileSync(contract, 'utf8')) as Json;
const spec = (Object.entries(operations) as [OperationId, Operation][]).filter(([, { number }]) => number > 0);

let bridge: TestBridge;
let prism: Prism;
let scene: Scene;
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_RATE_LIMIT: '100000' } });
  prism = await startPrism(contract, bridge.bridgeUrl);
  scene = await createScene(bridge);
});
after(async () => {
  await prism.stop();
  await bridge.stop();
});

/** Which statuses were seen of which operation. */
const seen = new Map<OperationId, Set<number>>();

/** Calls through the proxy, and asserts that the contract has what comes back. */
async function call<Id extends OperationId>(id: Id, parts: CallParts, status: number): Promise<OperationAnswer<Id>> {
  const answer = await callOperation(prism.url, id, parts);
  const what = `${id}: ${JSON.stringify(answer.body)}`;
  assert.equal(answer.headers.get('sl-violations'), null, what);
  assert.doesNotMatch(JSON.stringify(answer.body), /stoplight/, what);
  assert.equal(answer.status, status, what);
  const { method, path } = operations[id];
  const declared = at(document, 'paths', path, method.toLowerCase(), 'responses', String(status));
  assert.ok(isObject(declared), `${what}: ${String(status)} is not declared`);
  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  assert.notEqual(at(declared, 'content', type), null, `${what}: ${type} is not declared`);
  for (const name of Object.keys((at(declared, 'headers') ?? {}) as object)) {
    assert.ok(answer.headers.get(name), `${what}: ${name} is missing`);
  }
  seen.set(id, (seen.get(id) ?? new Set()).add(status));
  return answer;
}

function at(part: Json, ...path: string[]): Json {
  return path.reduce<Json>((outer, key) => {
    const found = isObject(outer) ? outer[key] : undefined;
    return found === undefined ? null : resolve(found, document);
  }, part);
}

/** A token that nobody issued, in the form of one. */
const unknownToken = 'x'.repeat(43);
const unknownUuid = '00000000-0000-4000-8000-000000000000';

describe('through the proxy', () => {
  test('every operation succeeds', async () => {
    // Those that end the tokens of the agency come last.
    const last: OperationId[] = ['createAccountCredential'];
    const spare = await createScene(bridge);
    for (const [id] of spec) {
      if (id !== 'resetCredential' && !last.includes(id)) await call(id, scene.calls[id], 200);
    }
    await call('createAccountCredential', spare.calls.createAccountCredential, 200);
    const other = await createScene(bridge);
    await call('resetCredential', other.calls.resetCredential, 200);
  });

  test('a bulk job is followed from its start to its end', async () => {
    const { token } = scene.calls.startBulkOnboarding;
    const npn = [scene.npn, '7', ...Array.from({ length: 200 }, (_, index) => 5_000_000 + index)];
    const { body: job } = await call('startBulkOnboarding', { token, body: { npn, onboardType: 'subscribe' } }, 200);
    const parts = { token, params: { id: job.id } };
    let status = (await call('getBulkStatus', parts, 200)).body;
    while (status.npns.length === 0) status = (await call('getBulkStatus', parts, 200)).body;
    assert.deepEqual([status.totalCount, status.successCount, status.failureCount], [202, 1, 201]);
    const details = (await call('getBulkDetails', parts, 200)).body;
    assert.deepEqual(
      details.details.map(({ biographic }) => biographic.npn),
      [scene.npn],
    );
    assert.deepEqual((await call('getBulkDetails', { ...parts, query: '?page=99' }, 200)).body.details, []);
  });

  test('values may be spelled in each way that the contract takes', async () => {
    const { token } = scene.calls.onboardProducer;
    await call('onboardProducer', { token, body: { npn: Number(scene.npn), onboardType: 'lookup' } }, 200);
    await call('onboardProducer', { token, body: { npn: `0${scene.npn}`, onboardType: 'lookup' } }, 200);
    await call('listActiveLicenses', { token, query: '?stateCode=TX&stateCode=ca,NY' }, 200);
    await call('updateAccount', { token, body: { businessEmail: '', webhookUrl: null } }, 200);
    await call('updateAccount', { token, body: {} }, 200);
    await call(
      'syncProfile',
      { token, params: { userId: 'ünï/çode' }, body: { npn: null, residentialAddress: null } },
      200,
    );
    await call('listTerritories', { token, query: '?page=99&pageSize=100&surprise=1' }, 200);
    const headers = { 'idempotency-key': 'one order' };
    const first = await call('createSession', { ...scene.calls.createSession, headers }, 200);
    const second = await call('createSession', { ...scene.calls.createSession, headers }, 200);
    assert.deepEqual(first.body, second.body);
  });

  test('what cannot be done is 400 in the words of the contract', async () => {
    const token = scene.tokens.test;
    const headers = { 'idempotency-key': 'another order' };
    await call('createSession', { ...scene.calls.createSession, headers }, 200);
    const changed = { ...(scene.calls.createSession.body as object), licenseType: 'other' };
    const impossible: [OperationId, CallParts][] = [
      ['createAccountCredential', { query: '?agencyId=agc_unknown' }],
      ['onboardProducer', { token, body: { npn: '7', onboardType: 'lookup' } }],
      ['lookUpNpn', { token, body: { lastName: 'Nobody', ssn: '900000000' } }],
      ['getSubscriptionUpdate', { token, body: { npn: '7', reportDate: '2026-03-01' } }],
      ['subscribe', { token, body: { npns: ['7'] } }],
      ['assignTerritory', { token, params: { npn: scene.npn }, body: { territoryId: 'ter_unknown' } }],
      ['unassignTerritory', { token, params: { npn: scene.npn, territoryId: 'ter_unknown' } }],
      ['createSession', { token, body: changed, headers }],
    ];
    for (const [id, parts] of impossible) await call(id, parts, 400);
  });

  test('a token that nobody issued is 401 everywhere, wrong secrets are 401 and, too often, 429', async () => {
    for (const [id, { auth }] of spec) {
      if (auth !== 'none') await call(id, { ...scene.calls[id], token: unknownToken }, 401);
    }
    const wrong = { body: { clientId: scene.clientId, clientSecret: 'wrong' } };
    for (let attempt = 0; attempt < 10; attempt += 1) await call('login', wrong, 401);
    await call('login', wrong, 429);
  });

  test('what is not there is 404', async () => {
    const token = scene.tokens.test;
    await call('getBulkStatus', { token, params: { id: unknownUuid } }, 404);
    await call('getBulkDetails', { token, params: { id: unknownUuid } }, 404);
    await call('getApplication', { token, params: { applicationId: 'app_unknown' } }, 404);
  });

  test('what the agency may not do is 403, and a deactivated one is 403 or 401 as declared', async () => {
    const team = scene.calls.onboardProducer.body;
    await call('onboardProducer', { token: bridge.tokens.test, body: team }, 403);
    const { agencyId, calls } = await createScene(bridge);
    await deactivateAgency(bridge.context, agencyId);
    for (const [id, { auth, statuses }] of spec) {
      if (auth === 'bearer') await call(id, calls[id], statuses.includes(403) ? 403 : 401);
    }
  });

  test('all declared statuses of the domain were seen', () => {
    const causedElsewhere = new Set([500]);
    for (const [id, { statuses, auth }] of spec) {
      const expected = statuses.filter((status) => !causedElsewhere.has(status));
      const missing = expected.filter((status) => !seen.get(id)?.has(status));
      // Malformed requests are all that could be 400 here, and those the proxy keeps to itself.
      assert.deepEqual(
        missing.filter((status) => status !== 400),
        [],
        `${id} (${auth})`,
      );
    }
  });
});

describe('the proxy complains', () => {
  test('of a request that breaks the contract', async () => {
    const token = scene.tokens.test;
    const refused = await callOperation(prism.url, 'createSession', { token, body: { userId: 1 } });
    assert.equal(refused.status, 422);
    assert.match(JSON.stringify(refused.body), /stoplight/);
  });

  test('of an answer that breaks it: a field that is missing, a header, a status', async () => {
    const good = { 'content-type': 'application/json', 'x-request-id': 'req_1' };
    const answers: [status: number, headers: Record<string, string>, body: object][] = [
      [200, good, { accessTokens: '' }],
      [200, { 'content-type': 'application/json' }, { accessToken: 'token' }],
      [418, good, { code: 41801, details: '', errorMessage: '' }],
      [401, good, { code: 40001, details: '', errorMessage: '' }],
    ];
    const broken = createServer((_request, response) => {
      const [status, headers, body] = answers.shift() ?? [500, {}, {}];
      response.writeHead(status, headers).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(broken, 'listening');
    const { port } = broken.address() as AddressInfo;
    const other = await startPrism(contract, `http://127.0.0.1:${String(port)}`);
    try {
      while (answers.length > 0) {
        const what = JSON.stringify(answers[0]);
        const answer = await callOperation(other.url, 'login', scene.calls.login);
        const complaint = `${answer.headers.get('sl-violations') ?? ''}${JSON.stringify(answer.body)}`;
        assert.match(complaint, /stoplight|message/, what);
      }
    } finally {
      await other.stop();
      broken.close();
    }
  });
});
