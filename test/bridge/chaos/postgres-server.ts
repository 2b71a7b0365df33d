import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { openEmbedded } from '../../../src/bridge/store/embedded/embedded.js';
import { postgresAccount } from '../../../src/bridge/store/embedded/postgres-account.js';
import {
  findPostgresBinaries,
  readPostmaster,
  stopPostmaster,
} from '../../../src/bridge/store/embedded/postgres-process.js';
import { freePorts } from '../../support/free-ports.mjs';

/** The kind of restart: orderly, or as after a crash, with recovery from its log. */
export type Restart = 'fast' | 'immediate';

/** A PostgreSQL server that a test restarts. It keeps its port, and waits for its disk. */
export interface PostgresServer {
  url: string;
  restart(how: Restart): Promise<void>;
  stop(): Promise<void>;
}

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** Starts a separate server in a temporary folder. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'bridge-chaos-'));
  const cluster = join(folder, 'postgres');
  // Creates the cluster and the database. A server on a fixed port replaces the first one, so that
  // it can be restarted there.
  await (await openEmbedded({ folder })).stop();
  const [port = 0] = await freePorts(1);
  const password = (await readFile(join(cluster, 'bridge-password'), 'utf8')).trim();
  const url = `postgresql://bridge:${password}@127.0.0.1:${port}/bridge`;
  await launch(cluster, port);
  await answering(url);
  return {
    url,
    async restart(how) {
      const running = await readPostmaster(cluster);
      if (running === undefined) throw new Error('There is no server to restart.');
      process.kill(running.pid, signals[how]);
      while (await isAlive(running.pid)) await pause(20);
      await launch(cluster, port);
      await answering(url);
    },
    async stop() {
      await stopPostmaster(cluster);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(cluster: string, port: number): Promise<void> {
  const binaries = await findPostgresBinaries();
  const account = await postgresAccount([cluster, binaries.postgres]);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  const words = settings.flatMap((setting) => ['-c', setting]);
  const { file, args, ...ids } = account.command(binaries.postgres, ['-D', cluster, '-p', String(port), ...words]);
  spawn(file, args, { ...ids, stdio: 'ignore' }).on('error', (error) => console.error(error));
}

/** A zombie counts as ended, because no other process can reap it. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    return !/^State:\s+Z/m.test(await readFile(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function answering(url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch {
      await pause(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
