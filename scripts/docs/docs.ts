/**
 * Writes the generated parts of the documentation, from the sources and from `dist/`.
 * `npm run docs` writes them between their markers. `npm run docs:check` fails when they are out of
 * date.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { apiPages } from './api/pages.js';
import { architectureTables } from './architecture.js';
import { bridgeTables } from './bridge-tables.js';
import { elementTables } from './element-tables.js';
import { read, root } from './markdown.js';
import { pagePaths } from './pages.js';
import { serverTables } from './server-tables.js';
import { typePages } from './types/pages.js';

const parts: Record<string, () => string> = {
  ...elementTables,
  ...serverTables,
  ...bridgeTables,
  ...architectureTables,
};

/** The pages that are generated as a whole. */
const wholePages: ReadonlyMap<string, () => string> = new Map([...apiPages, ...typePages]);

/** Returns a page with its generated parts written again, or as a whole. Needs `dist/`. */
export async function generatePage(path: string): Promise<string> {
  const whole = wholePages.get(path);
  const options = (JSON.parse(read('package.json')) as { prettier: object }).prettier;
  return format(whole?.() ?? withParts(path), { ...options, parser: 'markdown' });
}

function withParts(path: string): string {
  const sections = /(<!-- begin:([a-z-]+) -->\n)[\s\S]*?(<!-- end:\2 -->)/g;
  return read(path).replace(sections, (_whole, begin: string, name: string, end: string) => {
    const generate = parts[name];
    if (!generate) throw new Error(`${path} has a marker for "${name}", but scripts/docs has no such part.`);
    return `${begin}\n${generate()}\n\n${end}`;
  });
}

/** Returns the markers that no page has. */
export function unusedParts(): string[] {
  const texts = pagePaths().map(read).join('\n');
  return Object.keys(parts).filter((name) => !texts.includes(`<!-- begin:${name} -->`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outdated: string[] = [];
  for (const path of wholePages.keys()) mkdirSync(`${root}${dirname(path)}`, { recursive: true });
  for (const path of new Set([...pagePaths(), ...wholePages.keys()])) {
    const generated = await generatePage(path);
    if (existsSync(`${root}${path}`) && generated === read(path)) continue;
    outdated.push(path);
    if (!process.argv.includes('--check')) writeFileSync(`${root}${path}`, generated);
  }
  if (outdated.length === 0) {
    console.log('The documentation is up to date.');
  } else if (process.argv.includes('--check')) {
    console.error(`Out of date: ${outdated.join(', ')}. Run "npm run docs".`);
    process.exitCode = 1;
  } else {
    console.log(`Wrote ${outdated.join(', ')}.`);
  }
}
