import assert from 'node:assert/strict';
import { it, test } from 'node:test';
import type { z } from 'zod';
import { operations, type Operation, type OperationId } from '../../../../src/contract/index.js';
import { eventSchemas, operationSchemas, type OperationSchemas } from '../../../../src/contract/schemas/index.js';
import { createOpenApiDocument } from '../../../../src/bridge/http/openapi/document.js';
import { exampleEvents } from '../../../../src/bridge/http/openapi/events.js';
import { operationEntries, type OperationEntry } from '../../../../src/bridge/http/openapi/operations/index.js';
import { contract, contractProblems } from '../../../support/contract.js';
import { promisesOf, type Json } from './document-meaning.js';

const document = createOpenApiDocument('https://bridge.example');
const rows = Object.entries(operations) as [OperationId, Operation][];

/**
 * Places that the contract leaves open (marked `open:`) and our document defines. All others must
 * be equal.
 */
const fixedByUs: [what: string, where: RegExp][] = [
  ['the test helper is our addition', /^POST \/v1\/test_helpers\//],
  ['how long texts of requests may be', /^(?!webhook).* (body|path) .*#(minLength|maxLength)$/],
  ['the form of a phone number in requests', / body .*\.phone( \|"string")? #pattern$/],
  ['an address in requests is complete', / body \.residentialAddress \|"object" #required$/],
  ['so is the stored address', / 200 \.residentialAddress #required$/],
  ['the fields of an alias', / \.otherNames \[\] (#required|\.\w+ #type)$/],
  ['the number of the receipt', /^GET \/v1\/applications\/\{applicationId\} 200 \.receiptNumber #type$/],
  ['that pages have an end', / query page #maximum$/],
  ['the answer while the bridge or its database is unavailable', /^(?!webhook).* 503\b/],
];

interface Part {
  description?: string;
  properties?: Record<string, Part>;
}

it('The document describes every named field of the contract.', () => {
  const missing: string[] = [];
  for (const [name, schema] of Object.entries(document.components.schemas as Record<string, Part>)) {
    for (const [field, part] of Object.entries(schema.properties ?? {})) {
      if (!part.description) missing.push(`${name}.${field}`);
    }
  }
  assert.deepEqual(missing, []);
});

for (const [id] of rows) {
  it(`The examples of ${id} match the schemas of its requests and responses.`, () => {
    const { body, response }: OperationSchemas = operationSchemas[id];
    const { bodies, answers }: OperationEntry = operationEntries[id];
    assert.equal(Object.keys(bodies ?? {}).length > 0, body !== undefined);
    for (const value of Object.values(bodies ?? {})) body?.parse(value);
    assert.notEqual(Object.keys(answers).length, 0);
    for (const value of Object.values(answers)) response.parse(value);
  });
}

it('The examples of the events match their schemas.', () => {
  for (const [type, event] of Object.entries(exampleEvents)) {
    (eventSchemas[type as keyof typeof eventSchemas] as z.ZodType).parse(event);
  }
});

test('Our document makes every promise of the contract, in the same words.', () => {
  const [expected, actual] = [promisesOf(contract as Json), promisesOf(document as unknown as Json)];
  assert.ok(expected.size > 2_000, 'the contract was read');
  const differences = [...expected].filter(
    ([where, what]) => JSON.stringify(actual.get(where)) !== JSON.stringify(what),
  );
  assert.deepEqual(
    differences.map(([where, what]) => ({ where, contract: what, ours: actual.get(where) })),
    [],
  );
});

test('Our document promises and requires nothing else, except where the contract leaves it open.', () => {
  const expected = promisesOf(contract as Json);
  const further = [...promisesOf(document as unknown as Json).keys()].filter((where) => !expected.has(where));
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

test('A response that breaks the contract is found: an undeclared field, header, status or code.', () => {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1' };
  const failure = { code: 40101, details: 'details', errorMessage: 'A sentence.' };
  const problems = (status: number, body: object, sent: Record<string, string> = headers) =>
    contractProblems('login', { status, headers: new Headers(sent), body });
  assert.deepEqual(problems(200, { accessToken: 'token' }), []);
  assert.deepEqual(problems(401, failure, { ...headers, 'www-authenticate': 'Bearer' }), []);
  const broken = [
    problems(200, { accessToken: 'token', expiresIn: 1 }),
    problems(200, { accessToken: 'token' }, { 'content-type': 'application/json' }),
    problems(401, failure),
    problems(401, { ...failure, code: 40001 }, { ...headers, 'www-authenticate': 'Bearer' }),
    problems(418, { ...failure, code: 41801 }),
  ];
  for (const found of broken) assert.notEqual(found.length, 0);
});
