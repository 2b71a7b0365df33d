import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from './free-ports.mjs';
import { programPath } from './programs.js';

/** A separate PgBouncer for a test. */
export interface PgBouncer {
  /** The address of the database behind it. */
  url: string;
  stop(): Promise<void>;
}

/** The account that runs it when the test is root, because it refuses to run as root. */
const nobody = 65_534;

/** Starts a PgBouncer that shares a few connections to a database by transaction. */
export async function startPgBouncer(databaseUrl: string, connections: number): Promise<PgBouncer> {
  const command = programPath('pgbouncer');
  const [port = 0] = await freePorts(1);
  const { username, password, port: serverPort, pathname } = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'licensing-pgbouncer-'));
  const [settings, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
  await writeFile(users, `"${username}" "${password}"\n`);
  await writeFile(
    settings,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${serverPort}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      `default_pool_size = ${connections}`,
      'max_client_conn = 200',
    ].join('\n'),
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [folder, settings, users]) await chown(path, nobody, nobody);
  await chmod(folder, 0o700);
  const child = spawn(command, [settings], {
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += String(bytes)));
  const exit = once(child, 'exit');
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${output}`);
    await pause(25);
  }
  return {
    url: `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`,
    async stop() {
      child.kill('SIGINT');
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
