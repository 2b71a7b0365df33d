/**
 * `npm test` runs the quick suites of `suites.ts`, `npm run test:full` the others, and
 * `npm test -- NAME…` those of these names, `npm test -- path/to/file.test.ts…` these files. Installs what they need, runs them, and ends with one
 * line: `N passed, N failed, N skipped`.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setUp } from './setup.ts';
import { explainMissing } from './support/programs.ts';
import { installTools } from './tools/install.ts';
import { suites, suitesOfFiles, type Suite } from './suites.ts';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** What a suite writes into the file of TEST_COUNTS. */
interface Result extends Counts {
  /** Files with a failed test. */
  failedFiles?: string[];
  /** The file, the title and the message of each. */
  failures?: string[];
}

/** A suite that takes longer has hung. */
const suiteTimeoutMs = 2_700_000;

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
process.env['PATH'] = `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;

const folder = mkdtempSync(join(tmpdir(), 'licensing-apply-counts-'));
// Its suites share the embedded PostgreSQL of `support/database.ts`, which a later run removes.
process.env['TEST_DATABASE_FOLDER'] ??= join(tmpdir(), `licensing-bridge-test-${process.pid}`);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const suiteNames = new Set<string>(suites.flatMap(({ name, run }) => [name, run]));
const wanted = selectSuites(process.argv.slice(2));
const absent = await setUp(wanted);
if (wanted.some(({ usesTools }) => usesTools)) installTools();

const total: Counts = { passed: 0, failed: 0, skipped: 0 };
const skipped: string[] = [];
/** Suites with tests that failed once and passed when they were repeated. */
const unsteady: string[] = [];
const failures: string[] = [];
for (const suite of wanted) {
  const missing = suite.needs.filter((name) => absent.includes(name));
  const counts = missing.length > 0 ? skipSuite(suite, missing.map(explainMissing)) : await runSuite(suite);
  for (const kind of ['passed', 'failed', 'skipped'] as const) total[kind] += counts[kind];
}
for (const line of [...skipped, ...unsteady, ...failures]) console.log(line);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
report(total);

function selectSuites(words: string[]): readonly Suite[] {
  // The name of a suite counts first: `site` is also a folder.
  const files = words.filter((word) => !suiteNames.has(word) && existsSync(word));
  if (files.length > 0 && files.length === words.length) return suitesOfFiles(files);
  return findSuites(words);
}

function findSuites(names: string[]): readonly Suite[] {
  const unknown = names.filter((name) => !suiteNames.has(name) && !existsSync(name));
  if (unknown.length > 0) {
    console.error(`There is no suite or file ${unknown.join(', ')}. The suites are:`);
    for (const { name, run, title } of suites) console.error(`  ${name.padEnd(16)} ${run.padEnd(5)}  ${title}`);
    process.exit(1);
  }
  if (names.some((name) => !suiteNames.has(name))) {
    console.error('Name either suites or files.');
    process.exit(1);
  }
  const chosen = names.length > 0 ? names : ['quick'];
  return suites.filter(({ name, run }) => chosen.includes(name) || chosen.includes(run));
}

/**
 * Runs a suite. In CI, where a failure costs an hour, its failed files run once more, one at a time:
 * a test counts as failed if it fails again. The list at the end names those that do not.
 */
async function runSuite(suite: Suite): Promise<Counts> {
  const { name, title, files, command, repeat } = suite;
  console.log(`\n── ${name}: ${title} (${files.length} files)`);
  console.time(`── ${name}`);
  const result = await runCommand(suite, command);
  if (result.failed > 0 && process.env['CI'] && repeat !== undefined) {
    const { failedFiles = [] } = result;
    // A repetition of other files would forgive the failure.
    const areOfSuite = failedFiles.length > 0 && failedFiles.every((file) => files.includes(file));
    console.log(`── ${name}: again ${failedFiles.join(' ')}`);
    const second = await runCommand(suite, repeat(areOfSuite ? failedFiles : files));
    if (second.failed < result.failed)
      unsteady.push(`── ${name}: ${result.failed - second.failed} failed once: ${failedFiles.join(' ')}`);
    // Failures outside a test are counted differently in both runs, so none of them may be lost.
    result.passed += Math.max(0, result.failed - second.failed);
    result.failed = second.failed;
    result.failures = second.failures ?? [];
  }
  for (const failure of result.failures ?? []) failures.push(`── ${name}: failed: ${failure}`);
  console.timeEnd(`── ${name}`);
  return result;
}

async function runCommand({ name, files }: Suite, [program, ...words]: Suite['command']): Promise<Result> {
  const countsFile = join(folder, `${name}.json`);
  rmSync(countsFile, { force: true });
  const code = files.length === 0 ? 0 : await run(program, words, { TEST_COUNTS: countsFile });
  const result = readResult(countsFile) ?? { passed: files.length > 0 && code === 0 ? 1 : 0, failed: 0, skipped: 0 };
  // A suite that ran nothing, or that ended badly without a failed test, has failed.
  if (result.failed === 0 && (code !== 0 || result.passed + result.skipped === 0)) {
    console.error(`The suite ${name} ended with ${code}, and no test failed.`);
    result.failed = 1;
    result.failures = [`the suite ended with ${code}, and no test failed`];
  }
  return result;
}

/** Counts each file as one skipped test, because its tests are not known. */
function skipSuite({ name, files }: Suite, reasons: string[]): Counts {
  const line = `── ${name} skipped (${files.length} files). ${reasons.join(' ')}`;
  console.log(`\n${line}`);
  skipped.push(line);
  return { passed: 0, failed: 0, skipped: files.length };
}

function readResult(path: string): Result | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Result;
  } catch {
    return undefined;
  }
}

/** Prints the last line. `.ci/run` adds up two runs, so it names a file for the counts instead. */
function report(counts: Counts): void {
  const { TEST_COUNTS: path } = process.env;
  if (path) writeFileSync(path, JSON.stringify(counts));
  else console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
}

function run(program: string, words: string[], variables: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...variables },
    });
    // After SIGTERM the runner stops its files and prints the current one.
    const timer = setTimeout(() => child.kill('SIGTERM'), suiteTimeoutMs);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code ?? 1);
    });
  });
}
