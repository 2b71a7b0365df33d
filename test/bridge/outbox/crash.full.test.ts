import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { enqueueEvent } from '../../../src/bridge/domain/events.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { changeApplication, createApplication } from '../applications.js';
import { startReceiver, type Receiver } from '../receiver.js';
import { until } from '../until.js';

const applicationCount = 8;
const eventsEach = 12;

let bridge: TestBridge;
let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
  // This bridge only writes events. Its worker does not send.
  const idle = { send: () => new Promise<never>(() => undefined), close: () => Promise.resolve() };
  bridge = await startBridge({ sender: idle, clock: () => new Date(Date.now() - 3_600_000) });
});
after(async () => {
  await bridge.stop();
  await receiver.close();
});

const program = fileURLToPath(new URL('./worker-process.ts', import.meta.url));

/** Starts a process with a worker. `ended` rejects when it ends by itself. */
function startWorker() {
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    env: { ...process.env, DATABASE_URL: bridge.databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => {
      if (code !== null) reject(new Error(`A worker ended with ${String(code)}.`));
    });
  });
  return { ended, kill: () => void child.kill('SIGKILL') };
}

test('Workers that are killed again and again during deliveries lose nothing and keep the order.', async (t) => {
  // Slow enough for kills during deliveries, and with some refusals.
  let count = 0;
  receiver.answers.push((response) => {
    count += 1;
    const status = count % 11 === 0 ? 503 : 200;
    setTimeout(() => response.writeHead(status).end(), 15);
  });
  const ids = await Promise.all(
    Array.from({ length: applicationCount }, () => createApplication(bridge, { webhookUrl: receiver.url })),
  );
  for (let index = 1; index <= eventsEach; index += 1) {
    for (const id of ids) {
      await changeApplication(bridge, id, (trx, application) =>
        enqueueEvent(
          trx,
          application,
          'application.progress_updated',
          { step: 'profile', index, count: 6 },
          new Date(),
        ),
      );
    }
  }

  const workers = [startWorker(), startWorker()];
  t.after(() => {
    for (const worker of workers) worker.kill();
  });
  for (let kill = 1; kill <= 4; kill += 1) {
    await Promise.race([receiver.arrival(kill * 12), ...workers.map(({ ended }) => ended)]);
    workers[kill % 2]?.kill();
    workers[kill % 2] = startWorker();
  }
  const openEvents = () =>
    bridge.context.db.selectFrom('webhook_event').select('id').where('delivered_at', 'is', null).execute();
  await Promise.race([until(openEvents, ({ length }) => length === 0), ...workers.map(({ ended }) => ended)]);

  for (const id of ids) {
    const steps = receiver.received
      .filter(({ event }) => event.data.applicationId === id)
      .map(({ event }) => (event.data as { index: number }).index);
    assert.deepEqual(
      [...new Set(steps)],
      Array.from({ length: eventsEach }, (_, index) => index + 1),
    );
    // A duplicate repeats the previous event, never an earlier one.
    assert.deepEqual(
      steps,
      [...steps].sort((left, right) => left - right),
    );
  }
});
