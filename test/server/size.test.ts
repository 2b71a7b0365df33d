import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const server = fileURLToPath(new URL('../../src/server/index.ts', import.meta.url));

/** What a partner's bundle pays for an import, in bytes, minified and gzipped, with everything that it imports. */
async function sizeOf(statement: string): Promise<number> {
  const id = 'virtual:imported';
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'imported',
        resolveId: (source) => (source === id ? id : null),
        load: (source) => (source === id ? statement.replace('licensing-apply/server', server) : null),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: {
        input: id,
        preserveEntrySignatures: 'strict',
        output: { format: 'es', minify: true, comments: false },
      },
    },
  });
  const bundle = Array.isArray(result) ? result[0] : result;
  assert.ok(bundle !== undefined && 'output' in bundle);
  const [chunk, ...others] = bundle.output;
  assert.deepEqual(others, []);
  return gzipSync(chunk.code, { level: 9 }).length;
}

const budgets: [what: string, statement: string, bytes: number][] = [
  ['the client', "export { createBridgeClient, isBridgeError } from 'licensing-apply/server';", 8_000],
  ['the whole door', "export * from 'licensing-apply/server';", 20_000],
];
for (const [what, statement, budget] of budgets) {
  test(`${what} stays below ${String(budget)} bytes, with everything that it imports`, async (t) => {
    const bytes = await sizeOf(statement);
    t.diagnostic(`${String(bytes)} bytes`);
    assert.ok(bytes < budget, `${String(bytes)} bytes`);
    assert.ok(bytes > budget / 3, `${String(bytes)} bytes: was it left out?`);
  });
}
