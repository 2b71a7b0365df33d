import { globSync } from 'node:fs';
import type { ProgramName } from './support/programs.ts';

/** Tests that run together, by one command. */
export interface Suite {
  name: string;
  /** Its contents in a few words. */
  title: string;
  /**
   * `quick` suites are `npm test`; `full` ones are `npm run test:full`, which does not repeat the
   * quick ones.
   */
  run: 'quick' | 'full';
  /** Programs of the machine without which the suite is skipped. */
  needs: readonly ProgramName[];
  /** Whether it uses the packages of `test/tools`. */
  usesTools?: boolean;
  files: readonly string[];
  command: readonly [program: string, ...words: string[]];
  /**
   * The command that runs the given files of the suite again, or the whole suite if it is a program.
   * None for a suite that tries other times and orders in each run, where a failure counts even if
   * it does not occur again.
   */
  repeat?: undefined | ((files: readonly string[]) => Suite['command']);
}

/*
 * A file's name decides which suite runs it:
 *   *.test.ts           in Node
 *   *.spec.ts           in the page
 *   *.browser.test.ts   in Node, driving Chromium (everything in the folders below does)
 *   *.redis.test.ts     with a Redis server
 *   *.firefox.test.ts   in Node, driving Firefox; likewise *.webkit.test.ts
 *   *.proxy.test.ts     with PgBouncer and nginx
 *   *.clamd.test.ts     with ClamAV
 *   *.full.test.ts      only in `npm run test:full`; the endings combine: *.browser.full.test.ts
 */
const rooms = ['test/*.test.ts', 'test/{contract,channel,hosted,element,return,react,server,bridge,docs}/**/*.test.ts'];
const browser = ['test/!(tools)/**/*.browser{,.full}.test.ts', 'test/{end-to-end,demo,testing,leaks}/**/*.test.ts'];
const redis = ['test/!(tools)/**/*.redis.test.ts'];
const proxies = ['test/!(tools)/**/*.proxy.test.ts'];
const clamd = ['test/!(tools)/**/*.clamd.test.ts'];
const packed = ['test/package/**/*.test.ts'];
const otherBrowsers = '**/*.{firefox,webkit}.test.ts';
const specs = 'test/!(tools)/**/*.spec.ts';

const needsByEnding: readonly { ending: RegExp; program: ProgramName }[] = [
  { ending: /\.browser\.|^test\/(end-to-end|demo|testing|leaks|package|site)\//, program: 'chromium' },
  { ending: /\.redis\./, program: 'redis' },
  { ending: /\.proxy\./, program: 'pgbouncer' },
  { ending: /\.proxy\./, program: 'nginx' },
  { ending: /\.clamd\./, program: 'clamd' },
  { ending: /\.firefox\./, program: 'firefox' },
  { ending: /\.webkit\./, program: 'webkit' },
];

const typescript = ['--import', './test/support/typescript.mjs'];

/** A test that takes longer has hung, and fails. */
const quickTimeoutMs = 120_000;
/**
 * Full tests visit every page one after another, restart servers and wait for real deadlines. Those
 * that need even more say so themselves.
 */
const fullTimeoutMs = 600_000;

/**
 * Every suite, in the order of their runs. They are sequential, because two at a time miss their
 * deadlines on two cores.
 */
export const suites: readonly Suite[] = [
  {
    name: 'rooms',
    title: 'each room by itself, in Node',
    run: 'quick',
    needs: [],
    ...nodeTests(quick(rooms, [...browser, ...redis, ...proxies, ...clamd]), { concurrency: 4 }),
  },
  {
    name: 'element',
    title: 'the element and the channel, in Chromium',
    run: 'quick',
    needs: ['chromium'],
    ...pageTests('web-test-runner.config.mjs'),
  },
  {
    name: 'redis',
    title: 'the store on Redis',
    run: 'quick',
    needs: ['redis'],
    ...nodeTests(quick(redis), { concurrency: 1 }),
  },
  {
    name: 'end-to-end',
    title: 'whole applications through the real bridge, in Chromium',
    run: 'quick',
    needs: ['chromium'],
    ...nodeTests(quick(browser, packed), { concurrency: 3 }),
  },
  {
    name: 'package',
    title: 'the packed package, installed',
    run: 'quick',
    needs: [],
    ...nodeTests(quick(packed, browser), { concurrency: 2 }),
  },
  {
    name: 'rooms-full',
    title: 'pages, commands, combinations, restarts and load of each room',
    run: 'full',
    needs: [],
    usesTools: true,
    ...nodeTests(full(rooms, browser), { concurrency: 3, timeoutMs: fullTimeoutMs }),
  },
  {
    name: 'proxies',
    title: 'the bridge behind PgBouncer and nginx',
    run: 'full',
    needs: ['pgbouncer', 'nginx'],
    ...nodeTests(globSync(proxies), { concurrency: 1, timeoutMs: fullTimeoutMs }),
  },
  {
    name: 'clamav',
    title: 'the scanner of documents, with ClamAV',
    run: 'full',
    needs: ['clamd'],
    ...nodeTests(globSync(clamd), { concurrency: 1, timeoutMs: fullTimeoutMs }),
  },
  {
    name: 'end-to-end-full',
    title: 'every page, mode and interruption, in Chromium',
    run: 'full',
    needs: ['chromium'],
    usesTools: true,
    ...nodeTests(full(browser, packed), { concurrency: 3, timeoutMs: fullTimeoutMs }),
  },
  {
    name: 'package-full',
    title: 'the package in frameworks and backends, and the examples of the documentation',
    run: 'full',
    needs: ['chromium'],
    usesTools: true,
    ...nodeTests(full(packed), { concurrency: 2, timeoutMs: fullTimeoutMs }),
  },
  ...(['firefox', 'webkit'] as const).flatMap((name): Suite[] => [
    {
      name: `element-${name}`,
      title: `the element and the channel, in ${name}`,
      run: 'full',
      needs: [name],
      ...pageTests(`web-test-runner.${name}.config.mjs`),
    },
    {
      name: `end-to-end-${name}`,
      title: `whole applications through the real bridge, in ${name}`,
      run: 'full',
      needs: [name],
      ...nodeTests(globSync(`test/!(tools)/**/*.${name}.test.ts`), { concurrency: 1, timeoutMs: fullTimeoutMs }),
    },
  ]),
  {
    name: 'postgresql',
    title: "SQL, on Debian's PostgreSQL",
    run: 'full',
    needs: ['postgresql'],
    ...script('test/postgresql.ts'),
  },
  {
    name: 'runtimes',
    title: 'the backends in Node 22, Bun, Deno, workerd and Next.js',
    run: 'full',
    needs: [],
    ...script('test/runtimes/run.ts'),
  },
  {
    name: 'site',
    title: 'the site of the documentation, built and searched',
    run: 'full',
    needs: ['chromium'],
    ...nodeTests(globSync('test/site/*.test.ts'), { concurrency: 1, timeoutMs: fullTimeoutMs }),
  },
  {
    name: 'chaos',
    title: 'two bridges that are killed at random, and restarts of their database',
    run: 'full',
    needs: [],
    ...script('test/bridge/chaos/run.ts'),
    repeat: undefined,
  },
  {
    name: 'replicas',
    title: "two bridges on a primary and its standby of Debian's PostgreSQL, which replace each other",
    run: 'full',
    needs: ['postgresql'],
    ...script('test/bridge/replicas/run.ts'),
    repeat: undefined,
  },
  ...['element', 'modes', 'hosted', 'console', 'preferences'].map((group): Suite => ({
    name: `screenshots-${group}`,
    title: `pictures of ${group}, each state once, checked by axe`,
    run: 'full',
    needs: ['chromium'],
    ...script('test/screens/run.ts', '--sample', group),
  })),
];

/**
 * The given test files as suites of their own: those that run in Node, and those that run in the
 * page. They may take as long as full tests.
 */
export function suitesOfFiles(paths: readonly string[]): Suite[] {
  const specFiles = paths.filter((path) => path.endsWith('.spec.ts'));
  const nodeFiles = paths.filter((path) => !specFiles.includes(path));
  const needs = needsByEnding.filter(({ ending }) => nodeFiles.some((path) => ending.test(path)));
  return [
    {
      name: 'node files',
      title: 'the given files, in Node',
      run: 'quick' as const,
      needs: needs.map(({ program }) => program),
      usesTools: nodeFiles.some((path) => path.endsWith('.full.test.ts')),
      ...nodeTests(nodeFiles, { concurrency: 2, timeoutMs: fullTimeoutMs }),
    },
    {
      name: 'page files',
      title: 'the given files, in Chromium',
      run: 'quick' as const,
      needs: ['chromium' as const],
      ...pageTests('web-test-runner.config.mjs', specFiles),
    },
  ].filter(({ files }) => files.length > 0);
}

function quick(patterns: readonly string[], exclude: readonly string[] = []): string[] {
  return globSync(patterns, { exclude: [...exclude, '**/*.full.test.ts', otherBrowsers] });
}

function full(patterns: readonly string[], exclude: readonly string[] = []): string[] {
  return globSync(patterns, { exclude: [...exclude, otherBrowsers] }).filter((file) => file.endsWith('.full.test.ts'));
}

function nodeTests(
  files: string[],
  { concurrency, timeoutMs = quickTimeoutMs }: { concurrency: number; timeoutMs?: number },
): Pick<Suite, 'files' | 'command' | 'repeat'> {
  const words = ['node', ...typescript, '--import', './test/support/open-handles.mjs', '--test'] as const;
  const reporter = ['--test-reporter=./test/support/count-reporter.mjs', '--test-reporter-destination=stdout'];
  const command = (these: readonly string[], atOnce: number): Suite['command'] => [
    ...words,
    `--test-concurrency=${atOnce}`,
    `--test-timeout=${timeoutMs}`,
    ...reporter,
    ...these,
  ];
  files.sort();
  return { files, command: command(files, concurrency), repeat: (failed) => command(failed, 1) };
}

function pageTests(config: string, files?: string[]): Pick<Suite, 'files' | 'command' | 'repeat'> {
  const command = (these?: readonly string[]): Suite['command'] => [
    'wtr',
    '--config',
    config,
    ...(these === undefined ? [] : ['--files', ...these]),
  ];
  return { files: files ?? globSync(specs), command: command(files), repeat: command };
}

/** A program that reports its result by its exit code, or by the counts that it writes. */
function script(file: string, ...words: string[]): Pick<Suite, 'files' | 'command' | 'repeat'> {
  const command: Suite['command'] = ['node', ...typescript, file, ...words];
  return { files: [file], command, repeat: () => command };
}
