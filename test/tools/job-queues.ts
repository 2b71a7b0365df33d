/** Job queues, as an alternative to our outbox, which are installed beside this file and found from nowhere else. */
export { Queue, Worker } from 'bullmq';
export { Logger, makeWorkerUtils, run as runWorker } from 'graphile-worker';
export { PgBoss } from 'pg-boss';
