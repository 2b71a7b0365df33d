import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createBridge, manualFiling } from '../../../src/bridge/create-bridge.js';
import { readEnvironment } from '../../../src/bridge/config/environment.js';
import { loadAdapters } from '../../../src/bridge/config/load-adapters.js';

/** Loads a module of adapters that is written for the test. */
async function load(t: TestContext, text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-adapters-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'adapters.mjs');
  await writeFile(path, text);
  return loadAdapters(readEnvironment({ BRIDGE_ADAPTERS: path }));
}

const scanner = "documentScanner: { scan: async () => 'clean' }";

test('Without BRIDGE_ADAPTERS there are no adapters.', async () => {
  assert.deepEqual(await loadAdapters(readEnvironment({})), {});
});

for (const [form, text] of [
  ['a function that resolves', `export default async () => ({ ${scanner} });`],
  [
    'an object of instances of classes',
    `class Scanner { async scan() { return 'clean'; } } export default { documentScanner: new Scanner() };`,
  ],
] as const) {
  test(`A module of adapters exports ${form}.`, async (t) => {
    const { documentScanner } = await load(t, text);
    assert.equal(await documentScanner?.scan(new Uint8Array(), 'application/pdf'), 'clean');
  });
}

const processor =
  "serves: () => true, authorize() {}, lookUp() {}, capture() {}, void() {}, refund() {}, cardEntry: 'page'";

for (const [what, text, expected] of [
  ['no default export', 'export const documentScanner = {};', /has no default export/],
  ['a text', "export default 'clean';", /must export an object of adapters by default, or a function/],
  ['an adapter that is none', 'export default { documentStorage: null };', /documentStorage: expected an object/],
  [
    'several wrong adapters',
    'export default { documentScanner: {}, producerRegistry: { findKnown() {} } };',
    /documentScanner has no method scan\n {2}producerRegistry has no method findProducers\n/,
  ],
  [
    'a processor that does not say how cards are entered',
    `export default { paymentProcessor: { ${processor.replace("'page'", "'form'")} } };`,
    /paymentProcessor\.cardEntry: expected "page", "fields" or "typed"/,
  ],
  [
    'a processor without its fields',
    `export default { paymentProcessor: { ${processor.replace("'page'", "'fields'")} } };`,
    /paymentProcessor\.fields: expected/,
  ],
  [
    'a gateway of no kind',
    'export default { filingGateway: { submit() {} } };',
    /filingGateway\.kind: expected "manual" or "automatic"/,
  ],
  [
    'a key provider without a source',
    'export default { keyProvider: { loadKeys() {} } };',
    /keyProvider\.source: expected a text/,
  ],
  ['a mistake in its text', 'export default {', /cannot be loaded \(/],
  [
    'a function that fails',
    "export default () => { throw new Error('no KMS'); };",
    /to create its adapters \(no KMS\)/,
  ],
] as const) {
  test(`A module of adapters with ${what} is refused with the reason.`, async (t) => {
    await assert.rejects(load(t, text), (error: Error) => {
      assert.match(error.message, /^BRIDGE_ADAPTERS: .*adapters\.mjs /);
      assert.match(error.message, expected);
      return true;
    });
  });
}

test('A missing module of adapters is named.', async () => {
  await assert.rejects(
    loadAdapters(readEnvironment({ BRIDGE_ADAPTERS: './no-such-adapters.mjs' })),
    /^Error: BRIDGE_ADAPTERS: \/.*\/no-such-adapters\.mjs does not exist\.$/,
  );
});

test('createBridge refuses wrong variables and wrong adapters before it starts anything.', async () => {
  await assert.rejects(createBridge({ environment: { BRIDGE_PORT: 'x' } }), /BRIDGE_PORT: expected/);
  const wrong = { filingGateway: manualFiling(), documentStorage: {}, gateway: {} } as object;
  await assert.rejects(createBridge({ environment: {}, ...wrong }), {
    name: 'TypeError',
    message: /^createBridge: documentStorage has no method put; .*; gateway is not an adapter; expected/,
  });
  await assert.rejects(createBridge({ environment: { NODE_ENV: 'production' } }), /BRIDGE_SECRET_KEY: required/);
});

test('A bridge that was closed before it listened does not start to listen.', async () => {
  const bridge = await createBridge({ environment: {} });
  await bridge.close();
  await assert.rejects(bridge.listen(), /was closed/);
});
