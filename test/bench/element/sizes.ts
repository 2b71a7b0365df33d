import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import type { Comparison } from '../report.js';
import type { Result } from '../rounds.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Other packages that embed a flow of several steps and contain all their code, in bytes: bundled
 * with their dependencies, minified and gzipped, as measured on 2026-11-20. Packages that load code
 * from a server at run time are not comparable.
 */
const peers: [name: string, bytes: number][] = [
  ['@shopify/checkout-kit 4.0.0-alpha.1, windows only', 3_894],
  ['@mxenabled/web-widget-sdk 0.0.15', 4_993],
  ['giscus 1.6.0, with Lit', 8_798],
  ['@typeform/embed 6.1.1', 13_859],
  ['@calcom/embed-core 1.5.3', 17_223],
  ['persona 5.9.0', 19_845],
  ['@krakenjs/zoid 10.6.0', 28_078],
  ['hellosign-embedded 2.12.4', 29_350],
];

/** The sizes, with their limits and the sizes of other packages. */
export async function compareSizes(): Promise<Comparison[]> {
  const entry = gzipped(['dist/cdn/licensing-apply.js']);
  const all = entry + gzipped(globSync('dist/cdn/chunks/*.js', { cwd: root }));
  return [
    promised('the element with Lit', entry, 14_000),
    promised('all that the element ever loads', all, 32_000),
    promised('the return script', gzipped(['dist/cdn/return.js']), 1_000),
    promised('the React component, beyond React and the element', await reactBytes(), 1_000),
    ...peers.map(([name, bytes]) => compare(`all, beside ${name}`, all, bytes, undefined)),
  ];
}

function promised(what: string, bytes: number, limit: number): Comparison {
  return compare(what, bytes, limit, { most: 1 });
}

function compare(what: string, bytes: number, other: number, target: Comparison['target']): Comparison {
  return { what, unit: 'B', ours: exactly(bytes), reference: exactly(other), target };
}

function exactly(bytes: number): Result {
  return { name: '', median: bytes, range: [bytes, bytes] };
}

function gzipped(paths: string[]): number {
  return paths.reduce((sum, path) => sum + gzipSync(readFileSync(root + path), { level: 9 }).length, 0);
}

/**
 * The bytes of the React component, minified as an application's own build does it, and gzipped.
 */
export async function reactBytes(): Promise<number> {
  const built = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      rolldownOptions: {
        input: `${root}dist/react.js`,
        external: ['react', /licensing-apply\.js$/],
        preserveEntrySignatures: 'strict',
      },
    },
  });
  if (!('output' in built)) throw new Error('Nothing was built.');
  return gzipSync(built.output[0].code, { level: 9 }).length;
}
