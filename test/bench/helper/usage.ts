import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** The requests to a process of the benchmark. */
export interface Answers {
  /** Processor time since its start, all threads together, in microseconds. */
  cpu: number;
  /** The heap after garbage collection, in bytes. */
  memory: { rss: number; heap: number };
  /** Resolves after the followed application has changed many times. */
  change: null;
}

/** The name of a request. */
export type Question = keyof Answers;

/** The first message of a process. */
export interface Announcement {
  url: string;
}

/** The handlers of requests; other properties are sent with the first message. */
export interface Work {
  change?: () => Promise<void>;
  [announced: string]: unknown;
}

const nothing = () => Promise.resolve();

/** Serves on a free port, sends it to the parent, and answers its requests. */
export function serveMeasured(listener: RequestListener, { change = nothing, ...more }: Work = {}): void {
  const answers: { [Asked in Question]: () => Promise<Answers[Asked]> } = {
    cpu: () => Promise.resolve(cpuMicroseconds()),
    memory: collectedMemory,
    change: () => change().then(() => null),
  };
  const server = createServer(listener);
  server.listen(0, '127.0.0.1', () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    process.send?.({ url, ...more } satisfies Announcement);
  });
  process.on('message', (question: Question) => {
    void answers[question]().then((answer) => process.send?.({ answer }));
  });
  process.once('disconnect', () => process.exit());
}

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function collectedMemory(): Promise<Answers['memory']> {
  // Some of it is released only in the next turn of the event loop.
  for (let turn = 0; turn < 5; turn += 1) {
    globalThis.gc?.();
    await setImmediate();
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heap: heapUsed + external };
}
