import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtFontsFolder } from '../own-package.js';

/** The weights that documents are set in. */
export type FontWeight = 'regular' | 'bold';

const fileNames: Readonly<Record<FontWeight, string>> = {
  regular: 'DejaVuSans.ttf',
  bold: 'DejaVuSans-Bold.ttf',
};

const loaded = new Map<FontWeight, Buffer>();

/**
 * The bytes of a font, read once. The fonts that every PDF reader has hold Western European letters only, so a name such as
 * Nguyễn or Łukasz would lose letters: these cover Latin, Greek, Cyrillic and more, and only the letters used are embedded.
 *
 * @throws Error when the package was not built yet.
 */
export function loadFont(weight: FontWeight): Buffer {
  const known = loaded.get(weight);
  if (known) return known;
  const path = join(builtFontsFolder(), fileNames[weight]);
  if (!existsSync(path)) throw new Error(`${fileNames[weight]} is missing in the build. Run "npm run build" first.`);
  const bytes = readFileSync(path);
  loaded.set(weight, bytes);
  return bytes;
}
