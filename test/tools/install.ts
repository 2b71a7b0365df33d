/**
 * `npm run test:tools`: installs the packages beside this file unless they are there. They are the
 * frameworks, linters and others that only `npm run test:full`, `npm run check` and the benchmarks
 * use.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs the packages of `test/tools`. @throws Error when npm fails. */
export function installTools(): void {
  installPackages(import.meta.dirname);
}

/**
 * Installs the packages of a folder by its lock file, unless they are there. @throws Error when npm
 * fails.
 */
export function installPackages(folder: string): void {
  const lock = join(folder, 'package-lock.json');
  // A copy of the lock file, written after the installation. npm removes it with the folder before
  // it installs again.
  const installed = join(folder, 'node_modules/.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8')) return;
  console.log(`Installing the packages of ${folder} …`);
  const { status } = spawnSync('npm', ['ci', '--loglevel=error'], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`"npm ci" in ${folder} ended with ${status}.`);
  copyFileSync(lock, installed);
}

if (import.meta.main) installTools();
