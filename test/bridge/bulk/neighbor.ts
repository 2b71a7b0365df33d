import { randomBytes } from 'node:crypto';
import { createLogger, readEnvironment, startBridge, type RunningBridge } from '../../../src/bridge/index.js';
import type { ProducerRegistry } from '../../../src/bridge/registry/producer-registry.js';

/** Starts another instance on the database of a test's bridge. */
export function startNeighbor(databaseUrl: string, registry: ProducerRegistry): Promise<RunningBridge> {
  const environment = readEnvironment({
    BRIDGE_PORT: '0',
    APPLY_PORT: '0',
    DATABASE_URL: databaseUrl,
    BRIDGE_SECRET_KEY: randomBytes(32).toString('base64'),
  });
  const log = createLogger('debug', { write: () => undefined });
  return startBridge(environment, { registry, log, assets: { href: (name) => name, at: () => undefined } });
}
