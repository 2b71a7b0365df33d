import { execFile } from 'node:child_process';
import { chmod, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresBinaries } from './postgres-process.js';

const run = promisify(execFile);

/** The evidence of a server that did not start. */
export interface FailedStart {
  cluster: string;
  /** The path of its log. */
  log: string;
  /** The reasons that the server reported, see {@link readReasons}. */
  reasons: readonly string[];
  binaries: PostgresBinaries;
}

/**
 * Closes a cluster to the group and to others. PostgreSQL refuses one that a group may write, as
 * Kubernetes makes every volume with `fsGroup`.
 */
export async function closeToOthers(cluster: string): Promise<void> {
  const { mode } = await stat(cluster);
  if ((mode & 0o077) === 0) return;
  // The folder is of another account: the server then says so.
  await chmod(cluster, 0o700).catch(() => undefined);
}

/**
 * What a server wrote into its log after `position` about its end: its fatal lines, or its last
 * ones where it has none, such as those of a missing library.
 */
export async function readReasons(log: string, position: number): Promise<string[]> {
  const file = await open(log);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read({ buffer: Buffer.alloc(Math.max(0, size - position)), position });
    const lines = buffer.toString().split('\n').filter(Boolean);
    const fatal = lines.filter((line) => /\b(FATAL|PANIC):/.test(line));
    return fatal.length > 0 ? fatal.map((line) => line.replace(/^.*?\b(FATAL|PANIC): */, '')) : lines.slice(-3);
  } finally {
    await file.close();
  }
}

/** The error message when the server did not start: why, and what to do. */
export async function describeFailedStart({ cluster, log, reasons, binaries }: FailedStart): Promise<string> {
  const [found, own] = await Promise.all([majorOfCluster(cluster), majorOfServer(binaries)]);
  if (found !== undefined && own !== undefined && found !== own) {
    return [
      `The files of the embedded database in ${cluster} are of PostgreSQL ${found}, and this bridge has PostgreSQL ${own}.`,
      `To keep the data, start PostgreSQL ${found} with these files, and copy its database "bridge" with pg_dump to the server of DATABASE_URL.`,
      'Otherwise set BRIDGE_DATA_DIR to a new folder.',
    ].join(' ');
  }
  const said = reasons.length === 0 ? 'It was not ready in time.' : `PostgreSQL says: ${reasons.join(' ')}`;
  return `The embedded database in ${cluster} did not start. ${said} Its log is ${log}.`;
}

async function majorOfCluster(cluster: string): Promise<string | undefined> {
  return (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined))?.trim();
}

async function majorOfServer({ postgres }: PostgresBinaries): Promise<string | undefined> {
  const { stdout } = await run(postgres, ['--version']).catch(() => ({ stdout: '' }));
  return /\b(\d+)[.a-z]/.exec(stdout)?.[1];
}
