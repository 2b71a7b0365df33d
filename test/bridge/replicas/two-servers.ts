import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePorts } from '../../support/free-ports.mjs';
import { programPath } from '../../support/programs.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';

/**
 * Two PostgreSQL servers as operators run them: a primary, a standby that confirms each commit, and
 * a proxy whose address stays the same.
 */
export interface TwoServers {
  /** The address for the bridge: the proxy. */
  url: string;
  version: string;
  /** Stops the primary, as for maintenance. All its connections end. */
  stopPrimary(): Promise<void>;
  /** Kills all processes of the primary at once. Its machine closes their connections. */
  killPrimary(): Promise<void>;
  /** Ends the primary as when its machine loses power: nothing closes its connections, ever. */
  losePrimary(): Promise<void>;
  /** Makes the standby the primary. The proxy does not lead to it yet. */
  promoteStandby(): Promise<void>;
  /** Lets new connections through the proxy to the primary. Earlier ones stay where they are. */
  moveProxy(): void;
  /** Starts the former primary as the standby of the current one, which waits for it from then on. */
  rejoin(): Promise<void>;
  /** Separates the standby until {@link TwoServers.rejoin}. The primary continues to serve. */
  cutReplication(): void;
  stop(): Promise<void>;
}

/** A server, whichever its role. */
interface Server {
  port: number;
  data: string;
  log: string;
}

const run = promisify(execFile);

/** Starts both, as the account `postgres` for root, which PostgreSQL refuses. */
export async function startTwoServers(): Promise<TwoServers> {
  const binaries = dirname(programPath('postgresql'));
  const folder = await mkdtemp(join(tmpdir(), 'bridge-replicas-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await run('chown', ['postgres', folder]);
  const words = (program: string, args: string[]): [string, string[]] =>
    isRoot ? ['runuser', ['-u', 'postgres', '--', join(binaries, program), ...args]] : [join(binaries, program), args];
  const call = (program: string, ...args: string[]) => run(...words(program, args), { cwd: '/' });

  const ports = await freePorts(2);
  const [first, second] = ports.map((port, index) => ({
    port,
    data: join(folder, `server-${index}`),
    log: join(folder, `log-${index}`),
  })) as [Server, Server];
  let [primary, standby] = [first, second];
  const proxy = await startTcpProxy(primary.port);
  const replication = await startTcpProxy(primary.port);

  async function start({ port, data, log }: Server): Promise<void> {
    const settings = [
      `-p ${port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=100',
      'wal_retrieve_retry_interval=500ms',
      // The machine keeps running when its processes are killed, and keeps the files.
      'fsync=off',
    ].join(' -c ');
    // Not `call`: the server would keep its pipes open.
    const child = spawn(...words('pg_ctl', ['-D', data, '-w', '-l', log, '-o', settings, 'start']), {
      cwd: '/',
      stdio: 'ignore',
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`A server did not start: ${await readFile(log, 'utf8')}`);
  }

  async function query<Row>({ port }: Server, text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: `postgresql://postgres@127.0.0.1:${port}/postgres` });
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** Which standbys confirm the commits of a server. */
  async function setConfirming(server: Server, names: string): Promise<void> {
    await query(server, `alter system set synchronous_standby_names = '${names}'`);
    await query(server, 'select pg_reload_conf()');
  }

  async function follow(): Promise<void> {
    const { data } = standby;
    await rm(data, { recursive: true, force: true });
    const source = ['-h', '127.0.0.1', '-p', String(replication.port), '-U', 'postgres'];
    await call('pg_basebackup', '-D', data, ...source, '--write-recovery-conf', '--checkpoint=fast', '--no-sync');
    await start(standby);
    // After a promotion no standby confirms: the new primary serves before it has a standby.
    await setConfirming(standby, '');
    await setConfirming(primary, '*');
    while (
      (await query<{ sync_state: string }>(primary, 'select sync_state from pg_stat_replication'))[0]?.sync_state !==
      'sync'
    )
      await pause(50);
  }

  await call('initdb', '-D', primary.data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C');
  await start(primary);
  await follow();
  async function killPrimary(): Promise<void> {
    const [line = ''] = (await readFile(join(primary.data, 'postmaster.pid'), 'utf8')).split('\n');
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', line]);
    for (const pid of [line, ...stdout.trim().split(/\s+/)]) killIfAlive(Number(pid));
  }

  return {
    url: `postgresql://postgres@127.0.0.1:${proxy.port}/postgres`,
    version: (await call('postgres', '--version')).stdout.trim(),
    async stopPrimary() {
      await call('pg_ctl', '-D', primary.data, '-m', 'fast', 'stop');
    },
    killPrimary,
    async losePrimary() {
      proxy.fallSilent();
      replication.fallSilent();
      await killPrimary();
    },
    async promoteStandby() {
      await call('pg_ctl', '-D', standby.data, '-w', 'promote');
      [primary, standby] = [standby, primary];
    },
    moveProxy() {
      proxy.moveTo(primary.port);
      proxy.restore();
    },
    async rejoin() {
      replication.moveTo(primary.port);
      replication.restore();
      await follow();
    },
    cutReplication: () => replication.cut(),
    async stop() {
      await Promise.all([proxy.close(), replication.close()]);
      for (const { data } of [first, second])
        await call('pg_ctl', '-D', data, '-m', 'immediate', 'stop').catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A process of a server may end by itself while the others are killed. */
function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
