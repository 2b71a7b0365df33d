import { shippedCatalogueFolder } from '../built/package-files.js';
import type { CatalogueContent } from './content.js';
import { loadCatalogue } from './load-catalogue.js';

let shipped: Promise<CatalogueContent> | undefined;

/** Reads the release of this version, once per process. */
export function loadShippedCatalogue(): Promise<CatalogueContent> {
  return (shipped ??= loadCatalogue(shippedCatalogueFolder()));
}
