import { posix } from 'node:path';
import { packageNameOf, readSources } from '../../test/support/sources.js';
import { rooms } from '../../test/support/rooms.js';
import { code, table } from './markdown.js';

/** The generated parts about the architecture, by the name of their marker. */
export const architectureTables: Record<string, () => string> = {
  'rooms-picture': () => {
    const lines = [...edges()].map(([edge, kind]) => {
      const [from = '', to = ''] = edge.split(' ');
      return `  ${from} ${kind === 'types' ? '-.->' : '-->'} ${to}`;
    });
    return ['```mermaid', 'flowchart TD', ...lines.sort(), '```'].join('\n');
  },
  'rooms-table': () => {
    const imports = [...edges().keys()].map((edge) => edge.split(' '));
    return table(
      ['Room', 'Imports from other rooms', 'Packages'],
      roomNames().map((name) => {
        const sources = readSources(`src/${name}/**/*.ts`);
        return [
          `[${code(name)}](architecture/${name}.md)`,
          imports
            .filter(([from]) => from === name)
            .map(([, to]) => code(to))
            .join(', '),
          packagesOf(sources).map(code).join(', '),
        ];
      }),
    );
  },
};

/** Returns the folders of `src/` that are rooms. */
export function roomNames(): string[] {
  return Object.keys(rooms).filter((name) => !name.includes('/'));
}

/** The imports between rooms, as `from to`. `types`: the import is gone at run time. */
function edges(): Map<string, 'values' | 'types'> {
  const found = new Map<string, 'values' | 'types'>();
  for (const { path, imports } of readSources('src/**/*.ts')) {
    const from = path.split('/')[1] ?? '';
    for (const { specifier, kind } of imports.filter((each) => each.specifier.startsWith('.'))) {
      const to = posix.join(posix.dirname(path), specifier).split('/')[1] ?? '';
      if (to === from) continue;
      const edge = `${from} ${to}`;
      if (kind !== 'type') found.set(edge, 'values');
      else if (!found.has(edge)) found.set(edge, 'types');
    }
  }
  return found;
}

function packagesOf(sources: ReturnType<typeof readSources>): string[] {
  const names = sources
    .flatMap(({ imports }) => imports)
    .map(({ specifier }) => specifier)
    .filter((specifier) => !/^(\.|node:|\()/.test(specifier))
    .map(packageNameOf);
  return [...new Set(names)].sort();
}
