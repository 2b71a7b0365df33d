import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from 'redis';
import { freePorts } from '../../support/free-ports.mjs';
import { programPath } from '../../support/programs.js';
import { until } from './until.js';

/** A separate Redis for a test. */
export interface TestRedis {
  url: string;
  /** A connected client, closed with the server. */
  client(): Promise<ReturnType<typeof createClient>>;
  /** Ends the server by this signal and starts it again with its stored data. */
  restart(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a real server on a free port, with a new folder. A durable one waits for its disk. */
export async function testRedis({ isDurable = false } = {}): Promise<TestRedis> {
  const command = programPath('redis');
  const folder = await mkdtemp(join(tmpdir(), 'licensing-apply-redis-'));
  const [port = 0] = await freePorts(1);
  const url = `redis://127.0.0.1:${String(port)}`;
  const words = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', ''];
  words.push('--appendonly', isDurable ? 'yes' : 'no', '--appendfsync', 'always');
  let server = await launch(command, words);
  async function end(signal: NodeJS.Signals): Promise<void> {
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  }

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
    async restart(signal) {
      await end(signal);
      await pause(1_000);
      server = await launch(command, words);
    },
    async stop() {
      for (const client of clients) client.destroy();
      await end('SIGTERM');
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
