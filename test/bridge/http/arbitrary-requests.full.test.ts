import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { operations, type Operation, type OperationId } from '../../../src/contract/index.js';
import { operationSchemas } from '../../../src/contract/schemas/index.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { urlOf } from '../../support/call-operation.js';
import { assertFailureShape } from './support/assert-failure.js';
import { createScene, type Scene } from './support/scene.js';

/*
 * Any request to an operation gets a response in its declared shape, or a failure with a declared
 * status, and never a 500. A failing run prints its seed, which `FAST_CHECK_SEED` repeats;
 * `FAST_CHECK_RUNS` sets the number of runs.
 */
const seed = Number(process.env['FAST_CHECK_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const runs = Number(process.env['FAST_CHECK_RUNS'] ?? 100);

let bridge: TestBridge;
let scene: Scene;
before(async () => {
  bridge = await startBridge({ environment: { BRIDGE_RATE_LIMIT: '1000000' } });
  scene = await createScene(bridge);
});
after(() => bridge.stop());

const rows = Object.entries(operations) as [OperationId, Operation][];

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** Checks the response to any request. */
async function check(id: OperationId, { method, url, headers, body }: Sent): Promise<void> {
  const response = await fetch(`${bridge.bridgeUrl}${url}`, {
    method,
    headers,
    ...(body === undefined || method === 'GET' ? {} : { body }),
  });
  const answered = JSON.parse(await response.text()) as unknown;
  const { status } = response;
  if (status === 200) {
    operationSchemas[id].response.parse(answered);
    return;
  }
  const { statuses } = operations[id] as Operation;
  // A path of dots, or an empty one, is another URL. Random logins fail, and would soon be limited.
  const allowed = [...statuses, 404, 405, 413, 415, ...(id === 'login' ? [429] : [])];
  assert.ok(status < 500 && allowed.includes(status), `${status} ${JSON.stringify(answered)}`);
  assertFailureShape({ status, headers: response.headers, body: answered });
}

/** A successful call. The id of a separate agency keeps the fixture's credential valid. */
function valid(id: OperationId): Sent & { body?: string } {
  const { params, query, token, body } = scene.calls[id];
  // The two operations that end tokens get a token of the other mode, so they change nothing.
  const bearer = id === 'createAccountCredential' || id === 'resetCredential' ? scene.tokens.test : token;
  return {
    method: operations[id].method,
    url: urlOf(id, { ...(params && { params }), ...(query && { query }) }),
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** Hostile texts: half characters, NUL, names of object properties, invalid numbers. */
const awkwardText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', ' ', '\u0000', '\ud800', '\u202e', '__proto__', 'constructor', '%00', '../..'),
  fc.constantFrom('0', '-1', '1e400', '9'.repeat(30), '0x10', '2026-02-30', '0000-00-00', '0'.repeat(36)),
);
const awkward = fc.oneof(
  { weight: 3, arbitrary: awkwardText },
  fc.constantFrom<unknown>(null, true, -0, 1e308, -1, 0.1, 9_007_199_254_740_993, [], {}, [[]], [null]),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A body with one value, at any depth, replaced or removed, or with another key. */
function mutated(body: unknown): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.constantFrom(...placesOf(body)), awkward, fc.constantFrom('replace', 'remove', 'add'))
    .map(([place, value, how]) => {
      const copy = structuredClone(body) as Record<string, unknown>;
      const last = place.at(-1) ?? '';
      const holder = place.slice(0, -1).reduce((outer, key) => outer[key] as Record<string, unknown>, copy);
      if (how === 'remove') Reflect.deleteProperty(holder, last);
      else {
        const key = how === 'replace' ? last : typeof value === 'string' ? value : 'added';
        Object.defineProperty(holder, key, { value, enumerable: true, configurable: true });
      }
      return copy;
    });
}

function placesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [[...path, key], ...placesOf(part, [...path, key])]);
}

const options = { seed, numRuns: runs, endOnFailure: false };

/** Any mutation of a valid body, any JSON, any bytes and a truncated body. */
function bodiesOf(id: OperationId): fc.Arbitrary<string> {
  const text = valid(id).body ?? '';
  return fc.oneof(
    { weight: 3, arbitrary: mutated(scene.calls[id].body).map((value) => JSON.stringify(value)) },
    fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
    fc.string({ unit: 'binary' }),
    fc.nat(text.length).map((length) => text.slice(0, length)),
  );
}

/** What a random request may be for an operation: a valid one with one random part. */
function requestsOf(id: OperationId): fc.Arbitrary<Sent> {
  const { path, body }: Operation = operations[id];
  const call = valid(id);
  const names = fc.oneof(fc.constantFrom('page', 'pageSize', 'stateCode', 'agencyId'), awkwardText);
  const pairs = fc.array(fc.tuple(names, awkwardText), { maxLength: 4 });
  const queries = fc.oneof(
    pairs.map((given) => new URLSearchParams(given).toString()),
    fc.webQueryParameters(),
  );
  const params = fc.record(
    Object.fromEntries(
      Object.entries(scene.calls[id].params ?? {}).map(([name, value]) => [
        name,
        fc.oneof(awkwardText, fc.constant(value)),
      ]),
    ),
  );
  return fc.oneof(
    ...(body ? [{ weight: 3, arbitrary: bodiesOf(id).map((sent): Sent => ({ ...call, body: sent })) }] : []),
    queries.map((query): Sent => ({ ...call, url: `${call.url.split('?')[0] ?? ''}?${query}` })),
    ...(path.includes('{') ? [params.map((given): Sent => ({ ...call, url: encodedUrl(path, given) }))] : []),
    headers.map((given): Sent => ({ ...call, headers: { ...call.headers, ...given } })),
  );
}

const anyHeader = fc.string({ unit: 'grapheme-ascii', maxLength: 60 });
const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'content-type': fc.oneof(anyHeader, fc.constantFrom('application/json;', 'application/json; charset=utf-7', '')),
    'content-encoding': fc.constantFrom('gzip', 'identity', 'br, gzip', ''),
    'idempotency-key': fc.oneof(anyHeader, fc.constant('x'.repeat(256))),
    authorization: fc.oneof(
      anyHeader,
      anyHeader.map((token) => `Bearer ${token}`),
    ),
    'x-forwarded-for': anyHeader,
    'x-request-id': anyHeader,
    accept: fc.oneof(anyHeader, fc.constant('text/html')),
  },
  { requiredKeys: [] },
);

describe(`random requests with the seed ${seed}`, () => {
  for (const [id] of rows) {
    test(`Any body, query, path and headers of ${id} get a declared response.`, async () => {
      const send = (sent: Sent) => check(id, sent);
      await fc.assert(fc.asyncProperty(requestsOf(id), send), options);
    });
  }
});

function encodedUrl(path: string, values: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeSafely(values[name] ?? ''));
}

/** Half a character cannot be written in a URL. Its replacement character is still unusual. */
function encodeSafely(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
