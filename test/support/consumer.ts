import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
/** The npm of the installed Node, because `node_modules/.bin` has none. */
const npm = process.env.npm_execpath;

/** The result of a program. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** The folders of the packages of this repository. */
const packages = { 'licensing-apply': root, 'licensing-bridge': join(root, 'src/bridge') };

/** The name of a package of this repository. */
export type PackageName = keyof typeof packages;

/** The parts of a `package.json` that tests compare. */
export interface Manifest {
  version: string;
  exports: Record<string, string | { types: string; default?: string }>;
  dependencies: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** A folder with the installed tarball of a package, outside of the project's `node_modules`. */
export interface Consumer {
  folder: string;
  /** The folder of the installed package. */
  installed: string;
  /** The paths in the tarball. */
  packed: string[];
  /** Writes a file into the folder. */
  write(name: string, text: string): Promise<void>;
  /** Runs a program in the folder; never rejects because of its exit code. */
  run(command: string, words: string[], variables?: NodeJS.ProcessEnv): Promise<Ended>;
  /** The path of the tarball. */
  tarball: string;
  /** Runs `npm install` with these words. */
  install(...words: string[]): Promise<void>;
  remove(): Promise<void>;
}

/** Runs npm in a folder. */
export async function runNpm(words: string[], cwd: string): Promise<void> {
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  await execute(command, [...first, ...words], { cwd, maxBuffer: 16_000_000 });
}

/** Reads the manifest of a package of this repository. */
export function readManifest(name: PackageName): Manifest {
  return JSON.parse(readFileSync(join(packages[name], 'package.json'), 'utf8')) as Manifest;
}

/**
 * Packs a package into a folder as `npm publish` would. Resolves with the path of the tarball.
 */
export async function packInto(folder: string, name: PackageName): Promise<string> {
  await runNpm(['pack', '--ignore-scripts', '--pack-destination', folder], packages[name]);
  const { version } = readManifest(name);
  return join(folder, `${name}-${version}.tgz`);
}

/**
 * Packs a package as `npm publish` would and installs it in an empty folder, without install
 * scripts: the tarball contains everything.
 *
 * @param options - Options of `npm install`.
 */
export async function createConsumer(name: PackageName = 'licensing-apply', ...options: string[]): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-consumer-`));
  const run = (command: string, words: string[], variables: NodeJS.ProcessEnv = {}) =>
    execute(command, words, { cwd: folder, env: { ...process.env, ...variables }, maxBuffer: 16_000_000 }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: unknown) => {
        const { code = 1, stdout = '', stderr = '' } = error as Partial<Ended>;
        return { code, stdout, stderr };
      },
    );
  const install = (...words: string[]) =>
    runNpm(['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...words], folder);

  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const tarball = await packInto(folder, name);
  await install(tarball, '--ignore-scripts', ...options);
  const installed = join(folder, 'node_modules', name);
  const packed = await readdir(installed, { recursive: true, withFileTypes: true });
  return {
    folder,
    installed,
    tarball,
    packed: packed
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1))
      .sort(),
    async write(name, text) {
      await writeFile(join(folder, name), text);
    },
    run,
    install,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The path of a development dependency, for use in another folder. */
export function developmentTool(path: string): string {
  return join(root, 'node_modules', path);
}

/** The path of a package of `test/tools`. */
export function testTool(path: string): string {
  return join(root, 'test/tools/node_modules', path);
}
