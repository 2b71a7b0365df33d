import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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
 * @throws Error when they are neither in the build nor installed.
 */
export function loadFont(weight: FontWeight): Buffer {
  const known = loaded.get(weight);
  if (known) return known;
  const bytes = readFileSync(pathOf(fileNames[weight]));
  loaded.set(weight, bytes);
  return bytes;
}

/** In the build; before the first build, in the package that the build copies them from. */
function pathOf(fileName: string): string {
  const built = join(builtFontsFolder(), fileName);
  if (existsSync(built)) return built;
  try {
    return createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${fileName}`);
  } catch (cause) {
    throw new Error(`${fileName} is missing in the build. Run "npm run build" first.`, { cause });
  }
}
