import { randomBytes } from 'node:crypto';
import { createLogger, readEnvironment, startBridge, type RunningBridge } from '../../../src/bridge/index.js';
import type { ProducerRegistry } from '../../../src/bridge/ports/producer-registry.js';

/** The key that all instances on a database share. */
export const sharedKey = randomBytes(32).toString('base64');

/** Starts another instance on the database of a test's bridge, which has the same key. */
export function startNeighbor(databaseUrl: string, registry: ProducerRegistry): Promise<RunningBridge> {
  const environment = readEnvironment({
    BRIDGE_PORT: '0',
    APPLY_PORT: '0',
    DATABASE_URL: databaseUrl,
    BRIDGE_SECRET_KEY: sharedKey,
  });
  const log = createLogger('debug', { write: () => undefined });
  return startBridge(environment, {
    producerRegistry: registry,
    log,
    assets: { href: (name) => name, at: () => undefined },
  });
}
