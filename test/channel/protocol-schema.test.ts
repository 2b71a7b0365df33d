import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createProtocolSchema } from '../../src/channel/protocol-schema.js';
import { check } from '../../src/channel/schema.js';
import { pathsIn, samples, schemas, withValueAt } from './samples.js';

/** A place for a value in the published schema. */
interface Node {
  type?: string;
  const?: string;
  enum?: string[];
  properties?: Record<string, Node>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Node;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  pattern?: string;
}

/** Values that two validators might treat differently. */
const doubtful: readonly unknown[] = [
  null,
  -1,
  0.5,
  2 ** 53,
  900_110_001,
  '',
  'TX\n',
  '\nTX',
  'ſ',
  'toString',
  true,
  {},
  [],
  [null],
  Array(57).fill({ state: 'TX', status: 'denied' }),
  { ssn: '900-11-0001' },
  '2026-11-20T12:34:56.789Z\n',
  'https://apply.example/a/\u00e9',
  `https://apply.example/${'x'.repeat(2_048)}`,
];

describe('the published schema of the protocol', () => {
  const schema = createProtocolSchema();

  it('the published schema describes every message and is plain JSON', () => {
    assert.deepEqual(Object.keys(schema.$defs).sort(), Object.keys(samples).sort());
    assert.deepEqual(JSON.parse(JSON.stringify(schema)), schema);
  });

  it('the published schema bounds every object, list, number and text', () => {
    let places = 0;
    for (const [name, definition] of Object.entries(schema.$defs)) assertBounded(definition as Node, name);
    assert.ok(places > 60, String(places));

    function assertBounded(node: Node, path: string): void {
      places += 1;
      if (node.type === 'object') {
        assert.equal(node.additionalProperties, false, path);
        for (const [key, inner] of Object.entries(node.properties ?? {})) assertBounded(inner, `${path}.${key}`);
      } else if (node.type === 'array') {
        assert.ok(Number(node.maxItems) <= 56, path);
        assertBounded(node.items ?? {}, `${path}.*`);
      } else if (node.type === 'integer') {
        assert.ok(Number(node.minimum) >= 0 && Number(node.maximum) < 100_000_000, path);
      } else if (node.type === 'string' && !node.enum && node.const === undefined) {
        assert.match(String(node.pattern), /^\^.*\$$/, path);
      } else if (node.type !== 'boolean') {
        for (const word of node.enum ?? [node.const]) assert.match(String(word), /^[a-z_-]+$/i, path);
      }
    }
  });

  for (const [name, sample] of Object.entries(samples)) {
    it(`another validator accepts and refuses ${name} by the published schema as the code does`, () => {
      const isValid = new Ajv2020({ strict: true }).compile(schema.$defs[name]!);
      const { leaves, objects } = pathsIn(sample);
      const surplus = objects.map((path) => withValueAt(sample, [...path, 'ssn'], '900-11-0001'));
      const spoiled = [...leaves, ...objects].flatMap((path) =>
        doubtful.map((value) => withValueAt(sample, path, value)),
      );
      for (const value of [sample, ...surplus, ...spoiled]) {
        assert.equal(isValid(value), check(schemas[name]!, value).path === undefined, JSON.stringify(value));
      }
    });
  }
});
