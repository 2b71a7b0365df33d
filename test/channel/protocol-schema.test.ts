import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createProtocolSchema } from '../../src/channel/protocol-schema.js';
import type { Schema } from '../../src/channel/schema.js';
import { samples } from './samples.js';

/** What `parse.ts` understands: any other keyword would be published and not checked. */
const keywords: Record<string, readonly string[]> = {
  object: ['type', 'properties', 'required', 'additionalProperties'],
  array: ['type', 'items', 'minItems', 'maxItems'],
  integer: ['type', 'minimum', 'maximum'],
  string: ['type', 'pattern'],
  boolean: ['type'],
};

describe('the published schema of the protocol', () => {
  const schema = createProtocolSchema();

  it('survives being written to a file', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(schema)), schema);
  });

  it('describes every message', () => {
    assert.deepEqual(Object.keys(schema.$defs).sort(), Object.keys(samples).sort());
  });

  it('leaves no place in any message open', () => {
    let places = 0;
    for (const [name, definition] of Object.entries(schema.$defs)) assertClosed(definition, name);
    assert.ok(places > 60, String(places));

    function assertClosed(node: Schema, path: string): void {
      places += 1;
      const wanted = node.type ? keywords[node.type] : [node.const === undefined ? 'enum' : 'const'];
      assert.deepEqual(Object.keys(node).sort(), [...(wanted ?? [])].sort(), path);
      switch (node.type) {
        case 'object':
          assert.equal('additionalProperties' in node && node.additionalProperties, false, path);
          for (const name of node.required) assert.ok(Object.hasOwn(node.properties, name), `${path}.${name}`);
          for (const [key, inner] of Object.entries(node.properties)) assertClosed(inner, `${path}.${key}`);
          return;
        case 'array':
          assert.ok(node.maxItems <= 56 && node.minItems <= node.maxItems, path);
          assertClosed(node.items, `${path}.*`);
          return;
        case 'integer':
          assert.ok(node.minimum >= 0 && node.minimum < node.maximum && node.maximum < 100_000_000, path);
          return;
        case 'string':
          assert.match(node.pattern, /^\^.*\$$/, path);
          assert.doesNotThrow(() => new RegExp(node.pattern, 'u'), path);
          return;
        case 'boolean':
          return;
        default:
          for (const word of node.enum ?? [node.const]) assert.match(word, /^[a-z_-]+$/i, path);
      }
    }
  });
});
