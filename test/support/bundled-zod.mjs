import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const path = '/zod-mini.js';
let code = '';

/**
 * Serves `zod/mini` as one module. It has some 90 files, and every page of a test would load them
 * separately on each of its three origins.
 *
 * @type {import('@web/test-runner').TestRunnerPlugin}
 */
export const bundledZod = {
  name: 'bundled-zod',
  async serverStart() {
    const entry = fileURLToPath(import.meta.resolve('zod/mini'));
    const [{ output }] = await build({
      configFile: false,
      publicDir: false,
      logLevel: 'error',
      build: { write: false, minify: true, lib: { entry, formats: ['es'] } },
    });
    code = output[0].code;
  },
  resolveImport: ({ source }) => (source === 'zod/mini' ? path : undefined),
  serve: (context) => (context.path === path ? { body: code, type: 'js' } : undefined),
};
