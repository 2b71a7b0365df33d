import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** By the package's name, which resolves from the sources and from the bundle. */
const manifest = 'licensing-apply/package.json';

/** The version of this package. */
export function packageVersion(): string {
  return (createRequire(import.meta.url)(manifest) as { version: string }).version;
}

/** The folder of the built browser assets of the bridge. */
export function builtAssetsFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve(manifest)), 'dist', 'bridge', 'assets');
}

/** The folder of the built catalogue release. */
export function builtCatalogueFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve(manifest)), 'dist', 'bridge', 'catalogue');
}

/** The folder of the built fonts of PDF documents. */
export function builtFontsFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve(manifest)), 'dist', 'bridge', 'fonts');
}
