import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Consumer } from '../support/consumer.js';
import { readExample } from './examples.js';
import { runtime } from './runtimes.js';

const execute = promisify(execFile);

/** A built Next.js application. */
export interface NextApp {
  folder: string;
  /** The program of Next.js. */
  next: string;
  remove(): Promise<void>;
}

/**
 * Creates an application with the generator of Next.js, installs the packed package, adds the route
 * and builds it. No setting of the generator is changed. `--empty` is the template without fonts,
 * which Next.js would download while it builds.
 */
export async function buildNextApp(consumer: Consumer): Promise<NextApp> {
  const parent = await mkdtemp(join(tmpdir(), 'licensing-apply-next-'));
  const folder = join(parent, 'next-app');
  const choices = ['--yes', '--empty', '--typescript', '--app', '--use-npm', '--disable-git', '--no-eslint'];
  await run(parent, runtime('create-next-app'), ['next-app', ...choices]);
  await run(folder, 'npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', consumer.tarball]);
  const route = join(folder, 'app/licensing/[...path]');
  await mkdir(route, { recursive: true });
  await writeFile(join(route, 'licensing.ts'), await readExample('licensing.ts'));
  await writeFile(join(route, 'route.ts'), await readExample('next.ts'));
  await run(folder, 'npm', ['run', 'build']);
  const next = join(folder, 'node_modules/next/dist/bin/next');
  return { folder, next, remove: () => rm(parent, { recursive: true, force: true }) };
}

async function run(cwd: string, command: string, words: string[]): Promise<void> {
  // Vite sets NODE_ENV to `production` in this process when it bundles the Worker, and then npm
  // would remove the development dependencies, among them TypeScript.
  const { NODE_ENV: _mode, ...inherited } = process.env;
  const env = { ...inherited, NEXT_TELEMETRY_DISABLED: '1' };
  const failure = await execute(command, words, { cwd, env, maxBuffer: 16_000_000 }).then(
    () => '',
    (error: unknown) => JSON.stringify(error, ['message', 'stdout', 'stderr']),
  );
  assert.equal(failure, '');
}
