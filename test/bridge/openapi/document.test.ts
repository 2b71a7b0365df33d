import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { z } from 'zod';
import { operations, webhookEvents, type Operation, type OperationId } from '../../../src/contract/index.js';
import { createOpenApiDocument } from '../../../src/bridge/http/openapi/document.js';
import { operationDocs } from '../../../src/bridge/http/openapi/operation-docs/index.js';
import { responseSchemas } from '../../../src/bridge/http/openapi/schemas/index.js';
import { bodySchemas } from '../../../src/bridge/http/schemas/index.js';
import { freshDescriptions } from '../../support/field-descriptions.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const document = createOpenApiDocument('https://bridge.example');
const rows = Object.entries(operations) as [OperationId, Operation][];

interface Part {
  description?: string;
  properties?: Record<string, Part>;
  items?: Part;
  $ref?: string;
}

test('the document passes the linter without a warning', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const words = ['lint', file, '--extends=recommended', '--format=json'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const linter = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const { stdout } = await promisify(execFile)(process.execPath, [linter, ...words], { env });
    const { totals, problems } = JSON.parse(stdout) as { totals: Record<string, number>; problems: unknown[] };
    assert.deepEqual(problems, []);
    assert.deepEqual([totals['errors'], totals['warnings']], [0, 0]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

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

test('the descriptions are the comments of the contract (if not: node --import tsx test/support/field-descriptions.ts)', async () => {
  for (const [path, text] of await freshDescriptions()) {
    assert.equal(await readFile(join(root, path), 'utf8'), text, path);
  }
});
