/**
 * A job queue that sends webhooks, a separate process, as an engineer would set it up in an
 * afternoon: each job posts by `fetch` and fails unless the answer is a success. The first argument
 * is the queue. Each line of input is a {@link Backlog} to enqueue; a line of output says that it is.
 */
import { createInterface } from 'node:readline';
import { Logger, makeWorkerUtils, PgBoss, Queue, runWorker, Worker } from '../../tools/job-queues.js';
import type { Backlog, QueueName } from './queues.js';

/** A webhook of one application. */
interface Job {
  url: string;
  application: string;
  body: object;
}

const databaseUrl = process.env['DATABASE_URL'] ?? '';
/** As many deliveries at once as the bridge makes. */
const concurrency = 32;
const connections = 10;

const queues: Record<QueueName, () => Promise<(jobs: Job[]) => Promise<unknown>>> = {
  'graphile-worker in order': () => startGraphileWorker(true),
  'graphile-worker': () => startGraphileWorker(false),
  'pg-boss in order': startPgBoss,
  BullMQ: startBullMq,
};

async function post({ url, body }: Job): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`The receiver answered ${answer.status}.`);
}

/** In order by a queue for each application; without order, jobs are fetched and completed in groups. */
async function startGraphileWorker(isOrdered: boolean) {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl });
  await utils.migrate();
  const inGroups = {
    worker: {
      localQueue: { size: 64, refetchDelay: { durationMs: 10 } },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  };
  const task = isOrdered ? 'send_in_order' : 'send';
  await runWorker({
    connectionString: databaseUrl,
    concurrency,
    maxPoolSize: connections,
    noHandleSignals: true,
    logger: new Logger(() => () => undefined),
    pollInterval: 1_000,
    ...(!isOrdered && { preset: inGroups }),
    taskList: { [task]: (job) => post(job as Job) },
  });
  return (jobs: Job[]) =>
    utils.addJobs(
      jobs.map((job) => ({ identifier: task, payload: job, ...(isOrdered && { queueName: job.application }) })),
    );
}

async function startPgBoss() {
  const boss = new PgBoss({ connectionString: databaseUrl, max: connections });
  boss.on('error', console.error);
  await boss.start();
  const name = 'webhooks';
  await boss.createQueue(name, { policy: 'key_strict_fifo' });
  // The worker that found jobs asks for more at once.
  const options = {
    batchSize: 1,
    pollingIntervalSeconds: 0.5,
    localConcurrency: concurrency,
    burstWhenReadyExceeds: 1,
  };
  await boss.work<Job>(name, options, async (jobs) => {
    for (const { data } of jobs) await post(data);
  });
  return (jobs: Job[]) =>
    boss.insert(
      name,
      jobs.map((job) => ({ data: job, singletonKey: job.application })),
    );
}

async function startBullMq() {
  const connection = { url: process.env['REDIS_URL'] ?? '', maxRetriesPerRequest: null };
  const queue = new Queue('webhooks', { connection });
  const worker = new Worker<Job>('webhooks', ({ data }) => post(data), {
    connection,
    concurrency,
    removeOnComplete: { count: 0 },
  });
  await worker.waitUntilReady();
  return (jobs: Job[]) => queue.addBulk(jobs.map((job) => ({ name: 'send', data: job })));
}

const enqueue = await queues[process.argv[2] as QueueName]();
process.stdout.write('ready\n');
for await (const line of createInterface(process.stdin)) {
  const { url, applications, eventsEach } = JSON.parse(line) as Backlog;
  const jobs = Array.from({ length: applications }, (_, application) =>
    Array.from({ length: eventsEach }, () => ({
      url,
      application: `app_${application}`,
      body: { id: 'evt', type: 'application.progress_updated', data: { step: 'profile', index: 1, count: 6 } },
    })),
  );
  await enqueue(jobs.flat());
  process.stdout.write('enqueued\n');
}
process.exit(0);
