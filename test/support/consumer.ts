import { execFile } from 'node:child_process';
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

/** A folder with the installed tarball, outside of the project's `node_modules`. */
export interface Consumer {
  folder: string;
  /** The paths in the tarball. */
  packed: string[];
  /** Writes a file into the folder. */
  write(name: string, text: string): Promise<void>;
  /** Runs a program in the folder; never rejects because of its exit code. */
  run(command: string, words: string[], variables?: NodeJS.ProcessEnv): Promise<Ended>;
  /** The path of the tarball. */
  tarball: string;
  /** Installs another package beside it. */
  install(name: string): Promise<void>;
  remove(): Promise<void>;
}

async function runNpm(words: string[], cwd: string): Promise<void> {
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  await execute(command, [...first, ...words], { cwd, maxBuffer: 16_000_000 });
}

/**
 * Packs this package into a folder as `npm publish` would. Resolves with the path of the tarball.
 */
export async function packInto(folder: string): Promise<string> {
  await runNpm(['pack', '--ignore-scripts', '--pack-destination', folder], root);
  const name = (await readdir(folder)).find((each) => each.endsWith('.tgz'));
  if (!name) throw new Error('npm pack left no tarball.');
  return join(folder, name);
}

/** Packs this package as `npm publish` would and installs it in an empty folder. */
export async function createConsumer(): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'licensing-apply-consumer-'));
  const run = (command: string, words: string[], variables: NodeJS.ProcessEnv = {}) =>
    execute(command, words, { cwd: folder, env: { ...process.env, ...variables }, maxBuffer: 16_000_000 }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: unknown) => {
        const { code = 1, stdout = '', stderr = '' } = error as Partial<Ended>;
        return { code, stdout, stderr };
      },
    );
  const install = (name: string, ...more: string[]) =>
    runNpm(['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...more, name], folder);

  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const tarball = await packInto(folder);
  // Without install scripts: the tarball contains everything.
  await install(tarball, '--ignore-scripts');
  const inside = join(folder, 'node_modules/licensing-apply');
  const packed = await readdir(inside, { recursive: true, withFileTypes: true });
  return {
    folder,
    tarball,
    packed: packed
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(inside.length + 1))
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
