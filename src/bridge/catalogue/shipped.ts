import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtCatalogueFolder } from '../built/package-files.js';
import type { CatalogueContent } from './content.js';
import { loadCatalogue } from './load-catalogue.js';

/** The folder of the release of this version: next to the sources, or in the build. */
function shippedFolder(): string {
  const beside = fileURLToPath(new URL('data', import.meta.url));
  return existsSync(join(beside, 'release.json')) ? beside : builtCatalogueFolder();
}

let shipped: Promise<CatalogueContent> | undefined;

/** Reads the release of this version, once per process. */
export function loadShippedCatalogue(): Promise<CatalogueContent> {
  return (shipped ??= loadCatalogue(shippedFolder()));
}
