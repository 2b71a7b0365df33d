import fs from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/**
 * Removes the declarations that no entry of the package leads to. The compiler writes one for each
 * source, and half of them describe the inside of a bundle.
 * @param {string} folder What becomes `dist/`.
 * @param {object} exports The `exports` of `package.json`.
 */
export function removeUnusedDeclarations(folder, exports) {
  const entries = Object.values(exports).flatMap(({ types = [] }) => types);
  const used = new Set();
  const found = entries.map((path) => join(folder, path.replace('./dist/', '')));
  for (const path of found) {
    if (used.has(path)) continue;
    used.add(path);
    const { importedFiles } = ts.preProcessFile(fs.readFileSync(path, 'utf8'));
    const own = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
    for (const name of own) found.push(normalize(join(dirname(path), name.replace(/\.js$/, '.d.ts'))));
  }
  for (const path of fs.globSync(join(folder, '**/*.d.ts'), { exclude: [join(folder, 'bridge')] })) {
    if (!used.has(path)) fs.rmSync(path);
  }
}
