import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from './free-ports.mjs';
import { programPath } from './programs.ts';

/**
 * Starts the PostgreSQL of the distribution in a throw-away folder, on a free port of this machine.
 * @returns {Promise<{ url: string, version: string, restart(how: 'fast' | 'immediate'):
 *   Promise<void>, stop(): void }>}
 * @throws {Error} when it is not installed
 */
export async function startDebianPostgres() {
  const binaries = dirname(programPath('postgresql'));
  const folder = fs.mkdtempSync(join(tmpdir(), 'licensing-bridge-postgres-'));
  const data = join(folder, 'data');
  const [port] = await freePorts(1);
  // The server refuses to run as root: the package brings a user for it.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) run('chown', ['postgres', folder]);
  const asOwner = (command, words) =>
    isRoot ? run('runuser', ['-u', 'postgres', '--', command, ...words]) : run(command, words);
  asOwner(join(binaries, 'initdb'), [
    '-D',
    data,
    '-U',
    'postgres',
    '--auth=trust',
    '--no-sync',
    '-E',
    'UTF8',
    '--locale=C',
  ]);
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off -c max_connections=300`;
  const start = () =>
    asOwner(join(binaries, 'pg_ctl'), ['-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start']);
  const stop = (how) => asOwner(join(binaries, 'pg_ctl'), ['-D', data, '-m', how, 'stop']);
  start();
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    version: run(join(binaries, 'postgres'), ['--version']).trim(),
    async restart(how) {
      stop(how);
      // Starting and stopping blocks this process, so that it meets a stopped server.
      await pause(1_000);
      start();
    },
    stop() {
      stop('immediate');
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

function run(command, words) {
  // The server inherits its stdio: a pipe would stay open while it runs.
  const output = words.includes('start') ? 'ignore' : 'pipe';
  const { status, stdout, stderr, error } = spawnSync(command, words, { stdio: ['ignore', output, output], cwd: '/' });
  if (status !== 0) throw error ?? new Error(`${command} ended with ${status}: ${String(stderr ?? '')}`);
  return String(stdout ?? '');
}
