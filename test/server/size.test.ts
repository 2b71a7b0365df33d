import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const server = fileURLToPath(new URL('../../src/server/index.ts', import.meta.url));

/** What a partner's bundle pays for a module, in bytes, minified and gzipped, with everything that it imports. */
async function sizeOf(text: string): Promise<number> {
  const id = 'virtual:imported';
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'imported',
        resolveId: (source) => (source === id ? id : null),
        load: (source) => (source === id ? text.replace('licensing-apply/server', server) : null),
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

const client = "export { createBridgeClient, isBridgeError } from 'licensing-apply/server';";

const budgets: [what: string, statement: string, bytes: number][] = [
  ['the client', client, 8_000],
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

test('the client brings less than 6 kB beyond what the smallest library of schemas alone would', async (t) => {
  // As little of it as a client could do with: answers of a few kinds, of which unknown fields stay.
  const zodMini = await sizeOf(`import * as z from 'zod/mini';
    const progress = z.looseObject({ step: z.string(), index: z.number(), savedAt: z.optional(z.iso.datetime()) });
    export const read = z.discriminatedUnion('kind', [
      z.looseObject({ kind: z.literal('progress'), progress }),
      z.looseObject({ kind: z.literal('states'), states: z.array(z.looseObject({ state: z.string() })) }),
    ]);`);
  const bytes = await sizeOf(client);
  t.diagnostic(`${String(bytes)} bytes beside ${String(zodMini)} of zod/mini`);
  assert.ok(bytes < zodMini + 6_000, `${String(bytes)} bytes beside ${String(zodMini)} of zod/mini`);
  assert.ok(zodMini > 4_000, `${String(zodMini)} bytes of zod/mini: was it left out?`);
});
