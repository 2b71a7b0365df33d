import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { createOpenApiDocument } from '../../../src/bridge/http/openapi/document.js';
import { promisesOf } from './document-meaning.js';
import { meaningOf, type Json } from './schema-meaning.js';

/*
 * `openapi.yaml` beside this file was written from the spec by hand, by others than us and without our code. What we generate
 * says the same, field by field.
 */
const contract = parse(readFileSync(new URL('../http/openapi/openapi.yaml', import.meta.url), 'utf8')) as Json;
const ours = createOpenApiDocument('http://localhost:5171') as unknown as Json;

/** Where the contract says nothing (it marks such places `open:`) and we say what we do. Everything else has to be the same. */
const fixedByUs: [what: string, where: RegExp][] = [
  ['the test helper is our addition', /^POST \/v1\/test_helpers\//],
  ['how long texts of requests may be', /^(?!webhook).* (body|path) .*#(minLength|maxLength)$/],
  ['the form of a phone number in requests', / body .*\.phone( \|"string")? #pattern$/],
  ['an address in requests is complete', / body \.residentialAddress \|"object" #required$/],
  ['so is the stored address', / 200 \.residentialAddress #required$/],
  ['the fields of an alias', / \.otherNames \[\] (#required|\.\w+ #type)$/],
  ['that pages have an end', / query page #maximum$/],
];

test('every promise of the contract is made by our document, in the same words', () => {
  const [expected, actual] = [promisesOf(contract), promisesOf(ours)];
  assert.ok(expected.size > 2_000, 'the contract was read');
  const differences = [...expected].filter(
    ([where, what]) => JSON.stringify(actual.get(where)) !== JSON.stringify(what),
  );
  assert.deepEqual(
    differences.map(([where, what]) => ({ where, contract: what, ours: actual.get(where) })),
    [],
  );
});

test('our document promises and asks nothing further, except for what the contract leaves open', () => {
  const expected = promisesOf(contract);
  const further = [...promisesOf(ours).keys()].filter((where) => !expected.has(where));
  assert.deepEqual(
    further.filter((where) => !fixedByUs.some(([, pattern]) => pattern.test(where))),
    [],
  );
  for (const [what, pattern] of fixedByUs)
    assert.ok(
      further.some((where) => pattern.test(where)),
      `no longer: ${what}`,
    );
});

test('the comparison sees what differs', () => {
  const differing: [Json, Json][] = [
    [{ type: 'string' }, { type: 'integer' }],
    [{ type: 'string' }, { type: ['string', 'null'] }],
    [{ enum: ['a', 'b'] }, { enum: ['a'] }],
    [{ type: 'string', pattern: '^a$' }, { type: 'string' }],
    [{ type: 'object', additionalProperties: false }, { type: 'object' }],
    [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
    [
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
      { type: 'array', items: { type: 'string' } },
    ],
    [{ anyOf: [{ type: 'string', maxLength: 1 }, { type: 'null' }] }, { type: ['string', 'null'] }],
    [{ type: 'string', writeOnly: true }, { type: 'string' }],
    [
      { type: 'string', format: 'date' },
      { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
    ],
  ];
  for (const [left, right] of differing) assert.notDeepEqual(meaningOf(left, {}), meaningOf(right, {}));
});

test('the comparison forgives another spelling', () => {
  const alike: [Json, Json][] = [
    [{ type: 'string', const: 'a' }, { enum: ['a'] }],
    [{ type: ['string', 'null'], format: 'email' }, { anyOf: [{ type: 'string', format: 'email' }, { type: 'null' }] }],
    [{ type: ['string', 'null'], enum: ['', null] }, { enum: ['', null] }],
    [
      { anyOf: [{ type: 'integer' }, { enum: ['', null] }] },
      { oneOf: [{ type: 'null' }, { const: '' }, { type: 'integer' }] },
    ],
    [
      {
        allOf: [
          { type: 'integer', minimum: 1 },
          { minimum: 5, maximum: 9 },
        ],
      },
      { type: 'integer', minimum: 5, maximum: 9, description: 'Some.' },
    ],
  ];
  for (const [left, right] of alike) assert.deepEqual(meaningOf(left, {}), meaningOf(right, {}));
});
