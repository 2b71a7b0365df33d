import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { enqueueEvent } from '../../../src/bridge/outbox/enqueue.js';
import { startBridge, type TestBridge } from '../../support/bridge.js';
import { changeApplication, createApplication } from '../applications.js';
import { startReceiver, type Receiver } from '../receiver.js';

const applicationCount = 8;
const eventsEach = 12;

let bridge: TestBridge;
let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
  // This bridge only writes: its own worker sends nothing.
  const idle = { deliver: () => new Promise<never>(() => undefined), close: () => Promise.resolve() };
  bridge = await startBridge({ courier: idle, clock: () => new Date(Date.now() - 3_600_000) });
});
after(async () => {
  await bridge.stop();
  await receiver.close();
});

/** A process with an outbox worker and nothing else. Leases are short, so that the test need not wait out a real one. */
function startWorker(): { kill(): void } {
  const url = (path: string) => JSON.stringify(new URL(`../../../src/bridge/${path}`, import.meta.url).href);
  const program = `
    import { createKeys } from ${url('domain/keys.ts')};
    import { createLinks } from ${url('domain/links.ts')};
    import { createLogger } from ${url('log.ts')};
    import { createCourier } from ${url('outbox/deliver.ts')};
    import { createOutboxWorker } from ${url('outbox/worker.ts')};
    import { openDatabase } from ${url('store/database.ts')};
    const clock = () => new Date();
    createOutboxWorker({
      db: openDatabase(${JSON.stringify(bridge.databaseUrl)}),
      links: createLinks(createKeys(Buffer.alloc(32)), 'http://127.0.0.1'),
      clock,
      log: createLogger('error'),
      courier: createCourier(clock),
      retryScale: 0.001,
      metrics: { countDelivery: () => undefined },
      leaseMs: 700,
    }).start();
    console.log('started');
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface(child.stdout);
  return { kill: () => void child.kill('SIGKILL') };
}

test('workers that are killed again and again in the middle of deliveries lose nothing and mix up nothing', async (t) => {
  // Slow enough for a kill to meet deliveries under way, and now and then refused.
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
    await receiver.arrival(kill * 12);
    workers[kill % 2]?.kill();
    workers[kill % 2] = startWorker();
  }
  for (;;) {
    const open = await bridge.context.db
      .selectFrom('webhook_event')
      .select('id')
      .where('delivered_at', 'is', null)
      .execute();
    if (open.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }

  for (const id of ids) {
    const steps = receiver.received
      .filter(({ event }) => event.data.applicationId === id)
      .map(({ event }) => (event.data as { index: number }).index);
    assert.deepEqual(
      [...new Set(steps)],
      Array.from({ length: eventsEach }, (_, index) => index + 1),
    );
    // A duplicate is a repetition of the one before, never a step back.
    assert.deepEqual(
      steps,
      [...steps].sort((left, right) => left - right),
    );
  }
});
