import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { builtFolder } from '../built/package-files.js';

/** The font weights of documents. */
export type FontWeight = 'regular' | 'bold';

const fileNames: Readonly<Record<FontWeight, string>> = {
  regular: 'DejaVuSans.ttf',
  bold: 'DejaVuSans-Bold.ttf',
};

const loaded = new Map<FontWeight, Buffer>();

/**
 * The bytes of a font, read once. The standard PDF fonts only have Western European letters, so
 * names such as Nguyễn or Łukasz would lose letters. These fonts cover Latin, Greek, Cyrillic and
 * more, and only the used letters are embedded.
 *
 * @throws Error when the font is neither in the build nor installed.
 */
export function loadFont(weight: FontWeight): Buffer {
  const known = loaded.get(weight);
  if (known) return known;
  const bytes = readFileSync(pathOf(fileNames[weight]));
  loaded.set(weight, bytes);
  return bytes;
}

/** In the build, or before the first build, in the package that the build copies from. */
function pathOf(fileName: string): string {
  const built = join(builtFolder('fonts'), fileName);
  if (existsSync(built)) return built;
  try {
    return createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${fileName}`);
  } catch (cause) {
    throw new Error(`${fileName} is missing in the build. Run "npm run build" first.`, { cause });
  }
}
