import { posix } from 'node:path';
import type { Source } from './sources.js';

/**
 * The rooms of a folder as if each was one source: the path is its name, and its imports are those
 * of its files from other rooms. Files directly in the folder are in no room.
 */
export function roomsAsSources(sources: readonly Source[], folder: string): Pick<Source, 'path' | 'imports'>[] {
  const roomOf = (path: string) =>
    path.startsWith(folder) ? path.slice(folder.length).split('/').slice(0, -1)[0] : undefined;
  const rooms = new Map<string, Source['imports'][number][]>();
  for (const { path, imports } of sources) {
    const room = roomOf(path);
    if (room === undefined) continue;
    const list = rooms.get(room) ?? [];
    rooms.set(room, list);
    for (const wanted of imports) {
      const to = roomOf(posix.join(posix.dirname(path), wanted.specifier));
      if (to !== undefined && to !== room) list.push({ ...wanted, specifier: `./${to}` });
    }
  }
  return [...rooms].map(([path, imports]) => ({ path, imports }));
}

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
