import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { builtFile } from '../../built/package-files.js';
import { ApiError } from '../errors/api-error.js';
import { createMutex } from '../mutex.js';

/** What the thread computes. */
export type Argon2Job =
  | { kind: 'hash'; options: Argon2Costs & { password: string; salt: Uint8Array } }
  | { kind: 'verify'; options: { password: string; hash: string } };

/** The costs of a hash: lanes, passes, memory in KiB and the length of the hash in bytes. */
export interface Argon2Costs {
  parallelism: number;
  iterations: number;
  memorySize: number;
  hashLength: number;
}

/** What the thread answers: the hash or whether the password is right, or why neither is known. */
export type Argon2Answer = { value: string | boolean } | { problem: string };

/**
 * The number of passwords that wait for their turn at most. A hash takes about 50 ms, so the last
 * one waits for three seconds.
 */
const longestQueue = 60;

/** The wait of callers that found the queue full, in seconds. */
const retryAfterSeconds = 3;

/** One hash at a time, so that concurrent sign-ins do not take 19 MiB each. */
const withMutex = createMutex();
let inQueue = 0;
let running: Worker | undefined;

/**
 * Computes Argon2 in a separate thread: in the thread of the API, each hash would stop every other
 * request for its whole time.
 *
 * @throws ApiError `too_many_requests` when too many others are waiting.
 */
export async function runArgon2(job: Argon2Job): Promise<string | boolean> {
  if (inQueue > longestQueue) {
    throw new ApiError('too_many_requests', 'password: expected fewer at once; try again', { retryAfterSeconds });
  }
  inQueue += 1;
  try {
    return await withMutex('argon2id', () => inThread(job));
  } finally {
    inQueue -= 1;
  }
}

async function inThread(job: Argon2Job): Promise<string | boolean> {
  const thread = (running ??= startThread());
  // A command may wait for its hash only. Without a job, the thread keeps no process alive.
  thread.ref();
  try {
    const answered = once(thread, 'message') as Promise<[Argon2Answer]>;
    thread.postMessage(job);
    const [answer] = await answered;
    if ('problem' in answer) throw new Error(`Argon2 failed: ${answer.problem}`);
    return answer.value;
  } finally {
    thread.unref();
  }
}

function startThread(): Worker {
  // Without the options of this process, such as a loader for tests or for tracing.
  const thread = new Worker(threadFile(), { execArgv: [] });
  // The current job fails with the error, and the next one starts another thread.
  thread.on('error', () => {
    running = undefined;
  });
  return thread;
}

/** Beside this file in the sources, and an entry of the build. */
function threadFile(): string {
  const source = join(dirname(fileURLToPath(import.meta.url)), 'argon2-thread.ts');
  return existsSync(source) ? source : builtFile('argon2-thread.js');
}
