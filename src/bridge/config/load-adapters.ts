import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Environment } from './environment.js';
import { findAdapterProblems, type Adapters } from '../ports/adapters.js';

/**
 * Loads the adapters of `BRIDGE_ADAPTERS`: an ES module whose default export is an object of
 * adapters, or a function that returns or resolves with one. Resolves with no adapters where the
 * variable is absent.
 *
 * @throws Error with the problem of the module.
 */
export async function loadAdapters({ BRIDGE_ADAPTERS: path }: Environment): Promise<Adapters> {
  if (path === undefined) return {};
  const fail = (problem: string, cause?: unknown): never => {
    throw new Error(`BRIDGE_ADAPTERS: ${path} ${problem}.`, { cause });
  };
  if (!existsSync(path)) return fail('does not exist');
  const module = await import(/* @vite-ignore */ pathToFileURL(path).href).then(
    (loaded) => loaded as { default?: unknown },
    (error: unknown) => fail(`cannot be loaded (${messageOf(error)})`, error),
  );
  if (!('default' in module)) return fail('has no default export');
  const made = await callOf(module.default).catch((error: unknown) =>
    fail(`failed to create its adapters (${messageOf(error)})`, error),
  );
  if (typeof made !== 'object' || made === null) {
    return fail('must export an object of adapters by default, or a function that returns one');
  }
  const problems = findAdapterProblems(made);
  return problems.length > 0 ? fail(`cannot be used:\n  ${problems.join('\n  ')}`) : made;
}

async function callOf(exported: unknown): Promise<unknown> {
  return typeof exported === 'function' ? (exported as () => unknown)() : exported;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
