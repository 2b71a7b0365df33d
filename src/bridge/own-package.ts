import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** By the package's own name: it is found from the sources and from the bundle alike. */
const manifest = 'licensing-apply/package.json';

/** The version of this package. */
export function packageVersion(): string {
  return (createRequire(import.meta.url)(manifest) as { version: string }).version;
}

/** Where the build puts what browsers load from the bridge. */
export function builtAssetsFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve(manifest)), 'dist', 'bridge', 'assets');
}

/** Where the build puts the release of the catalogue that is shipped. */
export function builtCatalogueFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve(manifest)), 'dist', 'bridge', 'catalogue');
}

/** Where the build puts the fonts of PDF documents. */
export function builtFontsFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve(manifest)), 'dist', 'bridge', 'fonts');
}
