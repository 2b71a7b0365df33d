import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { testRedis } from '../../server/support/redis.js';

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

/** Starts the job queues on the database of the bridge, BullMQ on a Redis. @throws Error without `redis-server`. */
export async function startQueues(databaseUrl: string): Promise<StartedQueue[]> {
  const started: StartedQueue[] = [];
  for (const name of ['graphile-worker in order', 'pg-boss in order', 'graphile-worker'] as const)
    started.push(await startQueue(name, { DATABASE_URL: databaseUrl }));
  // It waits for the disk with each write, as PostgreSQL does.
  const redis = await testRedis();
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
