import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Database } from '../../../src/bridge/store/tables/typed-database.js';

/** The processor time of a process until now, in microseconds. Linux counts hundredths of a second. */
export function processorMicroseconds(pid: number): number {
  return statOf(pid).own;
}

/** The processor time of PostgreSQL until now, with that of its processes that have ended, in microseconds. */
export async function databaseMicroseconds(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const server = statOf(rows[0]?.pid ?? 0).parent;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => tryStatOf(Number(name)))
    .filter((stat) => stat?.parent === server);
  const { own, ended } = statOf(server);
  return children.reduce((sum, stat) => sum + (stat?.own ?? 0), own + ended);
}

interface Stat {
  parent: number;
  /** Of the process itself. */
  own: number;
  /** Of its children that have ended. */
  ended: number;
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statOf(pid: number): Stat {
  // The name of the program, in brackets, may have spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const at = (index: number) => Number(fields[index]);
  return { parent: at(1), own: (at(11) + at(12)) * 10_000, ended: (at(13) + at(14)) * 10_000 };
}

/** Undefined for a process that has ended meanwhile. */
function tryStatOf(pid: number): Stat | undefined {
  try {
    return statOf(pid);
  } catch {
    return undefined;
  }
}
