import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

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
