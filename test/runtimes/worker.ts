import { join } from 'node:path';
import { build } from 'vite';
import type { Consumer } from '../support/consumer.js';

const variables = ['BRIDGE_URL', 'BRIDGE_CLIENT_ID', 'BRIDGE_CLIENT_SECRET', 'LICENSING_SECRET', 'SITE_URL'];

/** What wrangler makes of its own configuration. Network access is to be allowed by name; `local` is the bridge of the test. */
const config = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "*:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "workers.js", esModule = embed "workers.js")],
  compatibilityDate = "2026-11-01",
  bindings = [${variables.map((name) => `(name = "${name}", fromEnvironment = "${name}")`).join(', ')}],
);
`;

/** Makes one file of the Worker, as its tool does, and writes the configuration beside it. */
export async function bundleWorker(consumer: Consumer): Promise<void> {
  await build({
    root: consumer.folder,
    configFile: false,
    logLevel: 'error',
    // Variables are those of the Worker that runs, not of the machine that builds it.
    environments: { ssr: { keepProcessEnv: true } },
    ssr: { noExternal: true, target: 'webworker', resolve: { conditions: ['workerd', 'worker', 'browser'] } },
    build: {
      ssr: true,
      outDir: '.',
      emptyOutDir: false,
      target: 'es2024',
      rolldownOptions: { input: join(consumer.folder, 'workers.ts'), output: { entryFileNames: 'workers.js' } },
    },
  });
  await consumer.write('worker.capnp', config);
}
