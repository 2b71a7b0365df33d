import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { freePorts } from '../../support/free-ports.mjs';
import { programPath } from '../../support/programs.js';
import { until } from './until.js';

/** A separate Redis for a test. */
export interface TestRedis {
  url: string;
  pid: number;
  /** A connected client, closed with the server. */
  client(): Promise<ReturnType<typeof createClient>>;
  stop(): Promise<void>;
}

/** Starts a real server on a free port, with a new folder, which waits for its disk. */
export async function testRedis(): Promise<TestRedis> {
  const command = programPath('redis');
  const folder = await mkdtemp(join(tmpdir(), 'licensing-apply-redis-'));
  const [port = 0] = await freePorts(1);
  const url = `redis://127.0.0.1:${port}`;
  const words = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', ''];
  words.push('--appendonly', 'yes', '--appendfsync', 'always');
  const server = await launch(command, words);
  const clients: ReturnType<typeof createClient>[] = [];
  return {
    url,
    pid: server.pid ?? 0,
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

async function launch(command: string, words: readonly string[]): Promise<ChildProcess> {
  const server = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (bytes: Buffer) => (output += String(bytes)));
  await until(`redis-server to be ready: ${output}`, () => output.includes('Ready to accept connections'));
  return server;
}
