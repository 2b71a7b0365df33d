/**
 * The previous version, from the history of git: the newest commit without any of the newest
 * migrations.
 *
 * Releases are not tagged. Migrations of one day reach production together, so the previous version
 * has none of them: the search goes back from migration to migration until there is a pause.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as visitor from '../apply/support/visitor.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const migrations = 'src/bridge/store/migrations';

/** Migrations of one version are closer in time than this. */
const pauseSeconds = 6 * 3_600;

/** A built version of the bridge in a separate folder. */
export interface BuiltVersion {
  /** The program that Node runs as `licensing-bridge`. */
  program: string[];
  /** The test module that fills in this version's pages. */
  loadVisitor(): Promise<typeof visitor>;
  remove(): void;
}

/** The commit of the previous version, or the reason why there is none. */
export function findVersionBefore(): { commit: string } | { missing: string } {
  if (!existsSync(join(root, '.git'))) return { missing: 'These sources are no clone of the repository.' };
  if (git('rev-parse', '--is-shallow-repository').trim() === 'true') {
    return { missing: 'The clone is shallow: "git fetch --unshallow" brings the version before.' };
  }
  const isAddedNow = git('ls-files', '--others', '--exclude-standard', '--', migrations) !== '';
  const added = git('log', '--diff-filter=A', '--format=%ct %H', '--', migrations)
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' '))
    .map(([seconds, commit]) => ({ addedAt: Number(seconds), before: `${String(commit)}~1` }));
  if (isAddedNow) added.unshift({ addedAt: Date.now() / 1_000, before: 'HEAD' });
  const last = added.findIndex(({ addedAt }, index) => addedAt - (added[index + 1]?.addedAt ?? 0) > pauseSeconds);
  const commit = added[last]?.before;
  return commit === undefined ? { missing: 'The history has no migrations.' } : { commit };
}

/** Builds a commit with its build configuration. */
export function buildVersion(commit: string): BuiltVersion {
  const folder = mkdtempSync(join(tmpdir(), 'bridge-version-before-'));
  const archive = join(folder, 'sources.tar');
  writeFileSync(archive, execFileSync('git', [...trusted, 'archive', commit], { cwd: root, maxBuffer: 1e9 }));
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  installPackages(folder);
  for (const [mode, part] of [
    ['bridge', 'dist/bridge'],
    ['assets', 'dist/bridge/assets'],
  ] as const) {
    const words = ['build', '--mode', mode, '--logLevel', 'error', '--outDir', part];
    execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), ...words], { cwd: folder });
  }
  return {
    program: [join(folder, 'dist/bridge/cli.js')],
    loadVisitor: () =>
      import(pathToFileURL(join(folder, 'test/bridge/apply/support/visitor.ts')).href) as Promise<typeof visitor>,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The installed packages, unless the commit needs one that was removed since. */
function installPackages(folder: string): void {
  const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const areHere = Object.keys(devDependencies).every((name) => existsSync(join(root, 'node_modules', name)));
  if (areHere) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci', '--ignore-scripts', '--prefer-offline'], { cwd: folder });
}

/** A container often runs as another user than the owner of the clone. */
const trusted = ['-c', 'safe.directory=*'];

function git(...words: string[]): string {
  return execFileSync('git', [...trusted, ...words], { cwd: root, encoding: 'utf8' });
}
