import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The job queues that `queue-worker.ts` can be. */
export type QueueName = 'graphile-worker in order' | 'graphile-worker' | 'pg-boss in order' | 'BullMQ';

/** Webhooks that wait after an outage of their receiver. */
export interface Backlog {
  url: string;
  applications: number;
  eventsEach: number;
}

/** A program that sends webhooks. */
export interface Sender {
  name: string;
  /** Its processes, but not those of PostgreSQL. */
  pids: readonly number[];
  /** Resolves when it has been written. */
  enqueue(backlog: Backlog): Promise<void>;
}

/** A started job queue. */
export interface StartedQueue extends Sender {
  stop(): Promise<void>;
}

const workerFile = fileURLToPath(new URL('./queue-worker.ts', import.meta.url));

/** Starts the job queues on the database of the bridge. BullMQ only where `redis-server` is installed. */
export async function startQueues(databaseUrl: string): Promise<StartedQueue[]> {
  const started: StartedQueue[] = [];
  for (const name of ['graphile-worker in order', 'pg-boss in order', 'graphile-worker'] as const)
    started.push(await startQueue(name, { DATABASE_URL: databaseUrl }));
  const redis = await startRedis();
  if (!redis) {
    console.warn('BullMQ is left out: there is no redis-server.');
    return started;
  }
  const bullMq = await startQueue('BullMQ', { REDIS_URL: redis.url });
  started.push({
    ...bullMq,
    pids: [...bullMq.pids, redis.pid],
    async stop() {
      await bullMq.stop();
      await redis.stop();
    },
  });
  return started;
}

async function startQueue(name: QueueName, variables: Record<string, string>): Promise<StartedQueue> {
  const child = spawn(process.execPath, ['--import', 'tsx', workerFile, name], {
    env: { ...process.env, ...variables },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const waitFor = async (word: string) => {
    for (let line = await lines.next(); !line.done; line = await lines.next()) if (line.value === word) return;
    throw new Error(`${name} ended.`);
  };
  await waitFor('ready');
  return {
    name,
    pids: [child.pid ?? 0],
    async enqueue(backlog) {
      child.stdin.write(`${JSON.stringify(backlog)}\n`);
      await waitFor('enqueued');
    },
    async stop() {
      const exit = once(child, 'exit');
      child.stdin.end();
      await exit;
    },
  };
}

/** Redis that waits for the disk with each write, as PostgreSQL does. */
async function startRedis() {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'licensing-bridge-redis-'));
  const port = await freePort();
  const options = ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', folder];
  const durable = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
  const child = spawn('redis-server', [...options, ...durable], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout)) if (/Ready to accept connections/.test(line)) break;
  child.stdout.resume();
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
