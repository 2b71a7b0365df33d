import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createClient } from 'redis';
import { freePorts } from '../../support/free-ports.js';
import { until } from './until.js';

/** A Redis of a test's own. */
export interface TestRedis {
  url: string;
  /** A connected client, closed with the server. */
  client(): Promise<ReturnType<typeof createClient>>;
  stop(): Promise<void>;
}

/** Starts a real server on a free port, with a folder of its own. */
export async function testRedis(): Promise<TestRedis> {
  const command = ensureRedis();
  const folder = await mkdtemp(join(tmpdir(), 'licensing-apply-redis-'));
  const [port = 0] = await freePorts(1);
  const url = `redis://127.0.0.1:${String(port)}`;
  const words = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '', '--appendonly', 'no'];
  const server = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (bytes: Buffer) => (output += String(bytes)));
  await until(`redis-server to be ready: ${output}`, () => output.includes('Ready to accept connections'));

  const clients: ReturnType<typeof createClient>[] = [];
  return {
    url,
    async client() {
      const client = createClient({ url });
      client.on('error', () => undefined);
      clients.push(client);
      await client.connect();
      return client;
    },
    async stop() {
      for (const client of clients) client.destroy();
      const exited = once(server, 'exit');
      server.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The path of `redis-server`; on Debian, as root, a missing one is installed. */
function ensureRedis(): string {
  const found = find('redis-server');
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    const aptGet = (...words: string[]) => spawnSync('apt-get', words, { stdio: ['ignore', 2, 2] }).status === 0;
    const install = () => aptGet('install', '-y', '-qq', '--no-install-recommends', 'redis-server');
    if (!install() && aptGet('update', '-qq')) install();
  }
  const installed = find('redis-server');
  if (installed !== undefined) return installed;
  throw new Error('No redis-server found. Install it (Debian, Ubuntu: sudo apt-get install redis-server).');
}

function find(command: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders
    .map((folder) => join(folder, command))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
