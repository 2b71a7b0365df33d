/**
 * `npm run test:mutation`: breaks the guards of `groups.ts` one by one, and lists those that no test
 * notices. `npm run test:mutation -- NAME…` runs some groups, and `-- --sample NAME…` a sixth of each.
 * A second run repeats only what changed. The results are in `.mutation/`.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbedded } from '../../../src/bridge/store/embedded/embedded.js';
import { installTools } from '../install.js';
import { groups, type MutationGroup } from './groups.js';
import { printScores } from './scores.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
process.chdir(root);
process.env['PATH'] = `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;

const isSample = process.argv.includes('--sample');
const names = process.argv.slice(2).filter((word) => word !== '--sample');
const unknown = names.filter((name) => !groups.some((group) => group.name === name));
if (unknown.length > 0) {
  console.error(`There is no group ${unknown.join(', ')}. There are: ${groups.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}
const chosen = groups.filter(({ name }) => names.length === 0 || names.includes(name));

installTools();
mkdirSync('.mutation', { recursive: true });
// One server for all: each test file of a run would start its own.
const folder = mkdtempSync(join(tmpdir(), 'licensing-bridge-mutation-'));
const server = await openEmbedded({ folder, durable: false });
try {
  for (const group of chosen) runGroup(group, server.url);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
printScores(chosen);

function runGroup(group: MutationGroup, databaseUrl: string): void {
  const { name } = group;
  const config = `.mutation/${name}.config.json`;
  writeFileSync(config, JSON.stringify(optionsOf(group), undefined, 2));
  const stryker = 'test/tools/node_modules/@stryker-mutator/core/bin/stryker.js';
  const { status } = spawnSync('node', [stryker, 'run', config], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TEST_DATABASE_URL: databaseUrl },
  });
  if (status !== 0) throw new Error(`StrykerJS ended with ${String(status)} in the group ${name}.`);
}

/** @see https://stryker-mutator.io/docs/stryker-js/configuration/ */
function optionsOf({ name, guards, tests }: MutationGroup): object {
  return {
    mutate: isSample ? guards.flatMap((pattern) => globSync(pattern).sort()).flatMap(sampleOf) : guards,
    testRunner: 'node-test',
    testFiles: tests.flatMap((pattern) => globSync(pattern).sort()),
    plugins: [join(import.meta.dirname, 'node-runner.ts')],
    coverageAnalysis: 'perTest',
    concurrency: 2,
    // A process keeps what the tests of its mutants left behind.
    maxTestRunnerReuse: 60,
    timeoutMS: 10_000,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 20,
    // Texts are no guards. A test that pins them would hold nothing.
    mutator: { excludedMutations: ['StringLiteral'] },
    disableTypeChecks: false,
    incremental: true,
    incrementalFile: `.mutation/${name}${isSample ? '.sample' : ''}.json`,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: `.mutation/${name}.report.json` },
    tempDirName: '.mutation/sandbox',
    // The pages of the bridge need the built assets.
    ignorePatterns: ['/dist-*', '/site', '/screenshots', '/.data', '/.mutation', '/test/tools/node_modules'],
    allowConsoleColors: false,
    packageManager: 'npm',
  };
}

/** Ten lines of every sixty, from the place where a file ends its imports: small blocks are whole. */
function sampleOf(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  const first = lines.findLastIndex((line) => line.includes(" from '")) + 11;
  const starts = [...lines.keys()].filter((line) => line >= first && (line - first) % 60 === 0);
  return starts.map((line) => `${path}:${line}-${line + 9}`);
}
