import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where `run.ts` installs what the suite needs. */
export const runtimesFolder = fileURLToPath(new URL('../../.runtimes/', import.meta.url));

/** The program of a runtime. */
export function runtime(name: 'node' | 'bun' | 'deno' | 'workerd' | 'create-next-app'): string {
  return join(runtimesFolder, 'node_modules/.bin', name);
}
