import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { operations, type Operation, type OperationId } from '../../../src/contract/index.js';
import { operationEntries } from '../../../src/bridge/http/schemas/index.js';
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
const runs = Number(process.env['FAST_CHECK_RUNS'] ?? 40);

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
    operationEntries[id].response.parse(answered);
    return;
  }
  const { statuses } = operations[id] as Operation;
  // A path of dots, or an empty one, is another URL. Random logins fail, and would soon be limited.
  const allowed = [...statuses, 404, 405, 413, 415, ...(id === 'login' ? [429] : [])];
  assert.ok(status < 500 && allowed.includes(status), `${String(status)} ${JSON.stringify(answered)}`);
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
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202e',
    '__proto__',
    'constructor',
    "'; drop table agency;--",
    '%00',
    '../..',
  ),
  fc.constantFrom('0', '-1', '1e400', 'NaN', '9'.repeat(30), '0x10', '2026-02-30', '0000-00-00', '0'.repeat(36)),
);
const awkward = fc.oneof(
  { weight: 3, arbitrary: awkwardText },
  fc.constantFrom<unknown>(null, true, 0, -0, 1e308, -1, 0.1, 9_007_199_254_740_993, [], {}, [[]], [null], {
    length: 1,
  }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A body with one value, at any depth, replaced, removed or repeated. */
function mutated(body: unknown): fc.Arbitrary<unknown> {
  const places = placesOf(body);
  return fc
    .tuple(fc.constantFrom(...places), awkward, fc.constantFrom('replace', 'remove', 'add'))
    .map(([place, value, how]) => {
      const copy = structuredClone(body) as Record<string, unknown>;
      const [last = '', ...rest] = place.toReversed();
      const holder = rest.toReversed().reduce((outer, key) => outer[key] as Record<string, unknown>, copy);
      if (how === 'replace') holder[last] = value;
      else if (how === 'remove') Reflect.deleteProperty(holder, last);
      else
        Object.defineProperty(holder, typeof value === 'string' ? value : 'added', {
          value,
          enumerable: true,
          configurable: true,
        });
      return copy;
    });
}

function placesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [[...path, key], ...placesOf(part, [...path, key])]);
}

const options = { seed, numRuns: runs, endOnFailure: false };

describe(`random requests with the seed ${String(seed)}`, () => {
  for (const [id, { path, body, auth }] of rows) {
    describe(id, () => {
      if (body) {
        test('Any JSON and any mutation of a valid body gets a declared response.', async () => {
          const call = valid(id);
          const bodies = fc.oneof(
            { weight: 3, arbitrary: mutated(scene.calls[id].body) },
            fc.jsonValue({ maxDepth: 4 }),
            fc.dictionary(awkwardText, awkward),
          );
          const send = (value: unknown) => check(id, { ...call, body: JSON.stringify(value) });
          await fc.assert(fc.asyncProperty(bodies, send), options);
        });

        test('Any bytes and a truncated body get a declared response.', async () => {
          const call = valid(id);
          const text = call.body ?? '';
          const bodies = fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.nat(text.length).map((length) => text.slice(0, length)),
          );
          const send = (value: string) => check(id, { ...call, body: value });
          await fc.assert(fc.asyncProperty(bodies, send), { ...options, numRuns: Math.ceil(runs / 2) });
        });
      }

      test('Any query gets a declared response.', async () => {
        const call = valid(id);
        const names = fc.oneof(fc.constantFrom('page', 'pageSize', 'stateCode', 'agencyId'), awkwardText);
        const queries = fc
          .array(fc.tuple(names, awkwardText), { maxLength: 4 })
          .map((pairs) => new URLSearchParams(pairs));
        const raw = fc.webQueryParameters().map((text) => `?${text}`);
        const [address = ''] = call.url.split('?');
        const send = (query: string) => check(id, { ...call, url: `${address}${query}` });
        const any = fc.oneof(
          queries.map((query) => `?${query.toString()}`),
          raw,
        );
        await fc.assert(fc.asyncProperty(any, send), options);
      });

      if (path.includes('{')) {
        test('Any values in the path get a declared response.', async () => {
          const call = valid(id);
          const { params = {} } = scene.calls[id];
          const values = fc.record(
            Object.fromEntries(
              Object.entries(params).map(([name, value]) => [name, fc.oneof(awkwardText, fc.constant(value))]),
            ),
          );
          const send = (given: Record<string, string>) => check(id, { ...call, url: encodedUrl(path, given) });
          await fc.assert(fc.asyncProperty(values, send), options);
        });
      }

      test('Any headers get a declared response.', async () => {
        const call = valid(id);
        const value = fc.string({ unit: 'grapheme-ascii', maxLength: 60 });
        const headers = fc.record(
          {
            ...(auth === 'none'
              ? {}
              : {
                  authorization: fc.oneof(
                    value,
                    value.map((text) => `Bearer ${text}`),
                  ),
                }),
            'content-type': fc.oneof(
              value,
              fc.constantFrom('application/json;', 'application/json; charset=utf-7', ''),
            ),
            'content-encoding': fc.constantFrom('gzip', 'identity', 'br, gzip', ''),
            'idempotency-key': fc.oneof(value, fc.constant('x'.repeat(256))),
            'x-forwarded-for': value,
            'x-request-id': value,
            accept: fc.oneof(value, fc.constant('text/html')),
          },
          { requiredKeys: [] },
        );
        const send = (given: Record<string, string>) => check(id, { ...call, headers: { ...call.headers, ...given } });
        await fc.assert(fc.asyncProperty(headers, send), { ...options, numRuns: Math.ceil(runs / 2) });
      });
    });
  }

  test('Any path with any method gets a declared response.', async () => {
    const paths = fc.oneof(
      fc.webPath(),
      fc
        .tuple(fc.constantFrom(...rows.map(([, { path }]) => path)), awkwardText)
        .map(([path, end]) => path + encodeSafely(end)),
    );
    const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND');
    await fc.assert(
      fc.asyncProperty(paths, methods, async (path, method) => {
        const response = await fetch(`${bridge.bridgeUrl}${path.startsWith('/') ? path : `/${path}`}`, { method });
        const text = await response.text();
        if (response.status < 400) return;
        assert.ok(response.status < 500, text);
        assertFailureShape({ status: response.status, headers: response.headers, body: JSON.parse(text) as unknown });
      }),
      { ...options, numRuns: 200 },
    );
  });
});

function encodedUrl(path: string, values: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeSafely(values[name] ?? ''));
}

/** Half a character cannot be written in a URL. Its replacement character is still unusual. */
function encodeSafely(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
