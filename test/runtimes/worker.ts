import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import type { Consumer } from '../support/consumer.js';

const variables = ['BRIDGE_URL', 'BRIDGE_CLIENT_ID', 'BRIDGE_CLIENT_SECRET', 'LICENSING_SECRET', 'SITE_URL'];

/**
 * Returns the configuration that wrangler would create. Network access is allowed by name; `local`
 * is the bridge of the test.
 */
function configOf(script: string, { durableObject }: { durableObject: string | undefined }): string {
  const bindings = variables.map((name) => `(name = "${name}", fromEnvironment = "${name}")`);
  const storage = [
    `durableObjectNamespaces = [(className = "${String(durableObject)}", uniqueKey = "licensing", enableSql = true)],`,
    'durableObjectStorage = (localDisk = "disk"),',
  ];
  if (durableObject) bindings.push(`(name = "LICENSING", durableObjectNamespace = "${durableObject}")`);
  return `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private", "local"])),
    ${durableObject ? '(name = "disk", disk = (path = "objects", writable = true)),' : ''}
  ],
  sockets = [(name = "http", address = "*:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "${script}", esModule = embed "${script}")],
  compatibilityDate = "2026-11-01",
  bindings = [${bindings.join(', ')}],
  ${durableObject ? storage.join('\n  ') : ''}
);
`;
}

/**
 * Bundles a Worker to one file, like its tool, and writes the configuration beside it. Resolves
 * with the configuration's path.
 */
export async function bundleWorker(consumer: Consumer, entry: string, durableObject?: string): Promise<string> {
  const script = entry.replace('.ts', '.js');
  await build({
    root: consumer.folder,
    configFile: false,
    logLevel: 'error',
    // Variables are read at run time, not at build time.
    environments: { ssr: { keepProcessEnv: true } },
    ssr: { noExternal: true, target: 'webworker', resolve: { conditions: ['workerd', 'worker', 'browser'] } },
    build: {
      ssr: true,
      outDir: '.',
      emptyOutDir: false,
      target: 'es2024',
      rolldownOptions: {
        input: join(consumer.folder, entry),
        external: ['cloudflare:workers'],
        output: { entryFileNames: script },
      },
    },
  });
  await mkdir(join(consumer.folder, 'objects'), { recursive: true });
  const config = entry.replace('.ts', '.capnp');
  await consumer.write(config, configOf(script, { durableObject }));
  return config;
}
