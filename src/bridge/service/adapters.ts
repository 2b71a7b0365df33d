import type { Environment } from '../config/environment.js';
import { loadAdapters } from '../config/load-adapters.js';
import type { Adapters } from '../ports/adapters.js';
import { createBuiltInAdapters } from './built-in-adapters.js';

/**
 * Loads all adapters of the environment. One of `BRIDGE_ADAPTERS` takes precedence over the bridge's
 * own for the same port.
 *
 * @throws Error with the variable or the module that is wrong.
 */
export async function adaptersOf(environment: Environment): Promise<Adapters> {
  return { ...(await createBuiltInAdapters(environment)), ...stated(await loadAdapters(environment)) };
}

/** An explicit `undefined` must not remove an adapter, such as the document scanner. */
export function stated<Options extends object>(options: Options): Partial<Options> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<Options>;
}
