import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startBridge, type TestBridge } from '../support/bridge.js';
import { developmentTool, testTool, type Consumer } from '../support/consumer.js';
import { addPackages, createExamples, exampleNames, readExample, startExample } from '../runtimes/examples.js';
import { exerciseBackend } from '../runtimes/exercise.js';
import { snippet } from './snippets.js';

describe('the examples of backends', () => {
  let consumer: Consumer;
  let bridge: TestBridge;
  before(async () => {
    [consumer, bridge] = await Promise.all([createExamples(), startBridge()]);
    await addPackages(consumer, developmentTool(''), ['hono', '@hono/node-server', '@types/node']);
    await addPackages(consumer, testTool(''), ['express', 'fastify', '@types/express']);
  });
  after(async () => {
    await bridge.stop();
    await consumer.remove();
  });

  it('the examples of backends have 20 lines at most', async () => {
    for (const name of exampleNames) {
      const lines = (await readExample(name)).split('\n').length - 1;
      assert.ok(lines <= 20, `${name} has ${String(lines)} lines.`);
    }
  });

  it('the examples of backends have no type error in a strict project', async () => {
    const compilerOptions = {
      target: 'es2022',
      module: 'nodenext',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      // Our own declarations are checked where the doors are; those of the frameworks are theirs.
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      noEmit: true,
    };
    await consumer.write('identify.ts', snippet('identify.ts'));
    await consumer.write('tsconfig.json', JSON.stringify({ compilerOptions, files: [...exampleNames, 'identify.ts'] }));
    const { code, stdout } = await consumer.run('node', [developmentTool('typescript/bin/tsc'), '-p', '.']);
    assert.equal(code, 0, stdout);
  });

  for (const framework of ['node', 'express', 'fastify', 'hono']) {
    it(`the example for ${framework} serves sessions, webhooks, the status and events`, async () => {
      const backend = await startExample(consumer, bridge, {
        command: process.execPath,
        words: () => [join(consumer.folder, `${framework}.ts`)],
      });
      try {
        await exerciseBackend(backend, bridge);
      } catch (error) {
        assert.fail(new Error(backend.output(), { cause: error }));
      } finally {
        await backend.stop();
      }
    });
  }
});
