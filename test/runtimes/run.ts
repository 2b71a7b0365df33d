/**
 * The suite `runtimes`: the examples of backends on Node 22, Bun, Deno, workerd and Next.js, each a
 * real server. Installs them once into `.runtimes/`, in the exact versions of
 * `packages/package-lock.json`. They are not development dependencies, because their 900 MB would
 * add a minute to each `npm ci`.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packages = join(root, 'test/runtimes/packages');
const folder = join(root, '.runtimes');
const lock = 'package-lock.json';

process.chdir(root);

if (!isInstalled()) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);
  fs.copyFileSync('.npmrc', join(folder, '.npmrc'));
  for (const name of ['package.json', lock]) fs.copyFileSync(join(packages, name), join(folder, name));
  console.log('Installing Node 22, Bun, Deno, workerd and Next.js into .runtimes/ (once, 900 MB) …');
  // Not `ci`: a registry that lacks a version for another platform omits it from the lock file, and
  // `ci` then fails.
  run('npm', ['install', '--loglevel=error'], folder);
  fs.copyFileSync(join(packages, lock), join(folder, 'installed.json'));
}
const reporter = '--test-reporter=./test/support/count-reporter.mjs';
run('node', ['--import', 'tsx', '--test', reporter, ...fs.globSync('test/runtimes/*.test.ts')], root);

/** Written last, so that an interrupted installation does not count. */
function isInstalled(): boolean {
  const wanted = fs.readFileSync(join(packages, lock), 'utf8');
  const installed = join(folder, 'installed.json');
  return fs.existsSync(installed) && fs.readFileSync(installed, 'utf8') === wanted;
}

function run(command: string, words: string[], cwd: string): void {
  const { status } = spawnSync(command, words, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
