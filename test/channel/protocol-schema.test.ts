import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createProtocolSchema } from '../../src/channel/protocol-schema.js';
import { samples } from './samples.js';

interface Node {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: Node;
  properties?: Record<string, Node>;
  additionalProperties?: boolean;
}

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

    function assertClosed(node: Node, path: string): void {
      places += 1;
      if (node.type === 'object') {
        assert.equal(node.additionalProperties, false, path);
        for (const [key, inner] of Object.entries(node.properties ?? {})) assertClosed(inner, `${path}.${key}`);
      } else if (node.type === 'array') {
        assert.ok((node.maxItems ?? Infinity) <= 56 && node.items, path);
        assertClosed(node.items, `${path}.*`);
      } else if (node.type === 'integer') {
        assert.ok((node.minimum ?? -1) >= 0 && (node.maximum ?? Infinity) < 100_000_000, path);
      } else if (node.enum !== undefined || node.const !== undefined) {
        return; // words from a fixed list
      } else if (node.type === 'string') {
        assert.match(node.pattern ?? '', /^\^.*\$$/, path);
      } else {
        assert.equal(node.type, 'boolean', path);
      }
    }
  });
});
