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
    // Next.js resolves modules in its own way and checks its example when it builds.
    const files = [...exampleNames.filter((name) => name !== 'next.ts'), 'identify.ts'];
    await consumer.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    const { code, stdout } = await consumer.run('node', [developmentTool('typescript/bin/tsc'), '-p', '.']);
    assert.equal(code, 0, stdout);
  });

  async function exercise(file: string): Promise<void> {
    const start = { command: process.execPath, words: () => [join(consumer.folder, file)] };
    const backend = await startExample(consumer, bridge, start);
    try {
      await exerciseBackend(backend, bridge);
    } catch (error) {
      assert.fail(new Error(backend.output(), { cause: error }));
    } finally {
      await backend.stop();
    }
  }

  for (const framework of ['node', 'express', 'fastify', 'hono']) {
    it(`the example for ${framework} serves sessions, webhooks, the status and events`, () =>
      exercise(`${framework}.ts`));
  }

  /** Other places in an Express application, each in place of the line that mounts the handler. */
  const mount = `app.use('/licensing', toNodeListener(licensing));`;
  const expressMounts: Record<string, string> = {
    'behind express.json()': `app.use(express.json());\n${mount}`,
    'in a sub-router': `const router = express.Router();\n${mount.replace('app', 'router')}\napp.use(router);`,
    'behind a logger that listens along': `app.use((request, _response, next) => {
  request.on('data', (bytes) => console.log(bytes.length));
  next();
});\n${mount}`,
  };
  for (const [where, lines] of Object.entries(expressMounts)) {
    it(`the example for express serves the same ${where}`, async () => {
      const example = await readExample('express.ts');
      assert.ok(example.includes(mount));
      const file = `express-${where.replaceAll(/\W+/g, '-')}.ts`;
      await consumer.write(file, example.replace(mount, lines));
      await exercise(file);
    });
  }
});
