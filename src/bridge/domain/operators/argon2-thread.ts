/**
 * The thread that computes Argon2, started by `argon2.ts`. It imports none of our modules, so that
 * Node also runs it from the sources, by stripping the types.
 */
import { parentPort } from 'node:worker_threads';
import { argon2id, argon2Verify } from 'hash-wasm';
import type { Argon2Answer, Argon2Job } from './argon2.js';

parentPort?.on('message', (job: Argon2Job) => {
  void answer(job).then((value) => {
    parentPort?.postMessage(value);
  });
});

async function answer(job: Argon2Job): Promise<Argon2Answer> {
  try {
    const isHashing = job.kind === 'hash';
    return {
      value: await (isHashing ? argon2id({ ...job.options, outputType: 'encoded' }) : argon2Verify(job.options)),
    };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
