import { posix } from 'node:path';
import type { Source } from './sources.js';

/**
 * Finds cycles of imports, types included. Returns each cycle as its paths in order. Empty: there
 * is none.
 */
export function circlesOf(sources: readonly Pick<Source, 'path' | 'imports'>[]): string[][] {
  const importedBy = new Map(
    sources.map(({ path, imports }) => [
      path,
      // A lazily loaded module may import its loader.
      imports
        .filter(({ kind, specifier }) => kind !== 'dynamic' && specifier.startsWith('.'))
        .map(({ specifier }) => posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts')),
    ]),
  );
  const circles: string[][] = [];
  const settled = new Set<string>();
  const walk = (path: string, way: readonly string[]): void => {
    const begun = way.indexOf(path);
    if (begun !== -1) circles.push(way.slice(begun));
    if (begun !== -1 || settled.has(path)) return;
    for (const imported of importedBy.get(path) ?? []) walk(imported, [...way, path]);
    settled.add(path);
  };
  for (const path of importedBy.keys()) walk(path, []);
  return circles;
}
