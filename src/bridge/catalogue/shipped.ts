import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtCatalogueFolder } from '../own-package.js';
import type { CatalogueContent } from './content.js';
import { loadCatalogue } from './load-catalogue.js';

/** The folder of the release that comes with this version of the bridge: beside the sources, or where the build puts it. */
export function shippedFolder(): string {
  const beside = fileURLToPath(new URL('data', import.meta.url));
  return existsSync(join(beside, 'release.json')) ? beside : builtCatalogueFolder();
}

let shipped: Promise<CatalogueContent> | undefined;

/** Reads the release that comes with this version of the bridge, once a process. */
export function loadShippedCatalogue(): Promise<CatalogueContent> {
  return (shipped ??= loadCatalogue(shippedFolder()));
}
