import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** By the package's name, which resolves from the sources and from the build. */
const manifest = 'licensing-bridge/package.json';

/** The version of this package. */
export function packageVersion(): string {
  return (createRequire(import.meta.url)(manifest) as { version: string }).version;
}

/** A folder that the build fills: the browser assets, or the fonts of PDF documents. */
export function builtFolder(name: 'assets' | 'fonts'): string {
  return join(packageFolder(), 'dist', name);
}

/** An entry of the build that no module imports, such as the code of a thread. */
export function builtFile(name: 'argon2-thread.js'): string {
  return join(packageFolder(), 'dist', name);
}

/** The folder of the catalogue release of this version. */
export function shippedCatalogueFolder(): string {
  return join(packageFolder(), 'catalogue', 'data');
}

function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve(manifest));
}
