import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startBridge, type TestBridge } from '../support/bridge.js';
import { developmentTool, type Consumer } from '../support/consumer.js';
import { createExamples, startExample, type Start } from './examples.js';
import { exerciseBackend } from './exercise.js';
import { bundleWorker } from './worker.js';
import { buildNextApp } from './next-app.js';
import { runtime, runtimesFolder } from './runtimes.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('licensing-apply/server in', () => {
  let consumer: Consumer;
  let bridge: TestBridge;
  const stopping: Promise<unknown>[] = [];
  const removing: (() => Promise<unknown>)[] = [];
  before(async () => {
    assert.ok(existsSync(runtimesFolder), 'Run this by "npm test -- runtimes", which installs the runtimes.');
    [consumer, bridge] = await Promise.all([createExamples(), startBridge()]);
  });
  after(async () => {
    await Promise.all(stopping);
    for (const remove of removing) await remove();
    await bridge.stop();
    await consumer.remove();
  });

  const workerd = (config: string): Start => ({
    command: runtime('workerd'),
    words: (port) => ['serve', config, '--socket-addr', `http=*:${port}`],
  });

  /** The command of each runtime, and the build before it. */
  const starts: Record<string, () => Promise<Start> | Start> = {
    'Node 22': () => ({ command: runtime('node'), words: () => ['node.ts'] }),
    Bun: () => ({ command: runtime('bun'), words: () => ['run', 'bun.ts'] }),
    Deno: () => ({
      command: runtime('deno'),
      words: (port) => ['serve', '--no-check', '--allow-net', '--allow-env', '--port', port, 'deno.ts'],
    }),
    workerd: async () => workerd(await bundleWorker(consumer, 'workers.ts')),
    'workerd, with the store on a Durable Object': async () => {
      await consumer.write('durable-object.ts', await readFile(join(root, 'demo/stores/durable-object.ts'), 'utf8'));
      const entry = 'durable-object-worker.ts';
      await consumer.write(entry, await readFile(join(root, 'test/runtimes', entry), 'utf8'));
      return workerd(await bundleWorker(consumer, entry, 'LicensingRecords'));
    },
    'Next.js': async () => {
      const app = await buildNextApp(consumer);
      removing.push(app.remove);
      return { command: process.execPath, words: (port) => [app.next, 'start', '--port', port], cwd: app.folder };
    },
  };

  for (const [name, prepare] of Object.entries(starts)) {
    it(`${name}: session, webhook, status and events`, async () => {
      const backend = await startExample(consumer, bridge, await prepare());
      try {
        await exerciseBackend(backend, bridge);
      } catch (error) {
        assert.fail(new Error(backend.output(), { cause: error }));
      } finally {
        // workerd notices a closed connection only when it writes, and stops 15 seconds later for
        // that.
        stopping.push(backend.stop());
      }
    });
  }

  it('The example of a store on a Durable Object has no type error.', async () => {
    const compilerOptions = {
      target: 'es2024',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2024'],
      types: [join(runtimesFolder, 'node_modules/@cloudflare/workers-types/experimental')],
      strict: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      noEmit: true,
    };
    await consumer.write(
      'tsconfig.store.json',
      JSON.stringify({ compilerOptions, files: ['durable-object-worker.ts'] }),
    );
    const { code, stdout } = await consumer.run('node', [
      developmentTool('typescript/bin/tsc'),
      '-p',
      'tsconfig.store.json',
    ]);
    assert.equal(code, 0, stdout);
  });
});
