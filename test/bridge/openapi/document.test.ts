import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { operations, webhookEvents, type Operation, type OperationId } from '../../../src/contract/index.js';
import { createOpenApiDocument } from '../../../src/bridge/http/openapi/document.js';
import { operationDocs } from '../../../src/bridge/http/openapi/operation-docs/index.js';
import { responseSchemas } from '../../../src/bridge/http/openapi/schemas/index.js';
import { bodySchemas } from '../../../src/bridge/http/schemas/index.js';
import { generateDescriptions } from '../../../scripts/field-descriptions.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const document = createOpenApiDocument('https://bridge.example');
const rows = Object.entries(operations) as [OperationId, Operation][];

interface Part {
  description?: string;
  properties?: Record<string, Part>;
  items?: Part;
  $ref?: string;
}

describe('the document', () => {
  it('is made anew each time: nobody changes it for others', () => {
    assert.deepEqual(createOpenApiDocument('https://bridge.example'), document);
    assert.notEqual(createOpenApiDocument('https://bridge.example'), document);
  });

  for (const [id, { method, path, statuses, body }] of rows) {
    it(`has ${id} with each of its statuses`, () => {
      const operation = document.paths?.[path]?.[method.toLowerCase() as 'get'];
      assert.equal(operation?.operationId, id);
      const expected = [...statuses, 405, 429, ...(body ? [413, 415] : [])].map(String);
      assert.deepEqual(Object.keys(operation.responses ?? {}).sort(), expected.sort());
      assert.equal(operation.requestBody !== undefined, body);
    });
  }

  it('has the five events', () => {
    assert.deepEqual(Object.keys(document.webhooks ?? {}), Object.keys(webhookEvents));
  });

  it('describes every field that has a name in the contract', () => {
    const missing: string[] = [];
    for (const [name, schema] of Object.entries((document.components?.schemas ?? {}) as Record<string, Part>)) {
      // What an event adds is described where it stands.
      if (name.endsWith('Event')) continue;
      for (const [field, part] of Object.entries(schema.properties ?? {})) {
        if (!part.description) missing.push(`${name}.${field}`);
      }
    }
    assert.deepEqual(missing, []);
  });
});

describe('the examples', () => {
  for (const [id] of rows) {
    it(`of ${id} pass the schemas that requests pass, and those of the answers`, () => {
      const { bodies, answers } = operationDocs[id];
      const bodySchema: z.ZodType | undefined = bodySchemas[id];
      assert.equal(Object.keys(bodies).length > 0, bodySchema !== undefined);
      for (const value of Object.values<unknown>(bodies)) bodySchema?.parse(value);
      assert.notEqual(Object.keys(answers).length, 0);
      for (const value of Object.values<unknown>(answers)) (responseSchemas[id] as z.ZodType).parse(value);
    });
  }
});

test('the field descriptions match the comments of the contract (if not, run "npm run docs")', async () => {
  for (const [path, text] of await generateDescriptions()) {
    assert.equal(await readFile(join(root, path), 'utf8'), text, path);
  }
});
