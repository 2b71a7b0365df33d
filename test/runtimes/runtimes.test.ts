import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { startBridge, type TestBridge } from '../support/bridge.js';
import type { Consumer } from '../support/consumer.js';
import { createExamples, startExample, type Start } from './examples.js';
import { exerciseBackend } from './exercise.js';
import { bundleWorker } from './worker.js';
import { buildNextApp } from './next-app.js';
import { runtime, runtimesFolder } from './runtimes.js';

describe('licensing-apply/server in', () => {
  let consumer: Consumer;
  let bridge: TestBridge;
  const stopping: Promise<unknown>[] = [];
  before(async () => {
    assert.ok(existsSync(runtimesFolder), 'Run this by "npm test -- runtimes", which installs the runtimes.');
    [consumer, bridge] = await Promise.all([createExamples(), startBridge()]);
  });
  after(async () => {
    await Promise.all(stopping);
    await bridge.stop();
    await consumer.remove();
  });

  /** How each is started, and what has to be built before. */
  const starts: Record<string, () => Promise<Start> | Start> = {
    'Node 22': () => ({ command: runtime('node'), words: () => ['node.ts'] }),
    Bun: () => ({ command: runtime('bun'), words: () => ['run', 'bun.ts'] }),
    Deno: () => ({
      command: runtime('deno'),
      words: (port) => ['serve', '--no-check', '--allow-net', '--allow-env', '--port', port, 'deno.ts'],
    }),
    workerd: async () => {
      await bundleWorker(consumer);
      return {
        command: runtime('workerd'),
        words: (port) => ['serve', 'worker.capnp', '--socket-addr', `http=*:${port}`],
      };
    },
    'Next.js': async () => {
      const app = await buildNextApp(consumer);
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
        // workerd notices that a browser is gone only when it writes to it, and stops 15 seconds later for that.
        stopping.push(backend.stop());
      }
    });
  }
});
