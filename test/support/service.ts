import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** A server program in a separate process. */
export interface Service {
  /** Its output so far. */
  output(): string;
  /** Stops it like Ctrl-C, and resolves with its exit code; null when it had to be killed. */
  stop(): Promise<number | null>;
}

const startTimeoutMs = 60_000;
const stopTimeoutMs = 20_000;

/** Starts a program and waits until `readyAt` answers with a status below 500. */
export async function startService(
  command: string,
  words: string[],
  { cwd, variables, readyAt }: { cwd: string; variables: NodeJS.ProcessEnv; readyAt: string },
): Promise<Service> {
  const child = spawn(command, words, {
    cwd,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const ended = once(child, 'close');
  // The first promise below reports a missing program.
  ended.catch(() => undefined);
  const service: Service = {
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      const [code] = (await ended) as [number | null];
      clearTimeout(timer);
      return code;
    },
  };
  const deadline = Date.now() + startTimeoutMs;
  let hasEnded = false;
  while (!hasEnded && Date.now() < deadline) {
    if (await answers(readyAt)) return service;
    // A program does not report that it listens, but its end is an event.
    hasEnded = await Promise.race([pause(100, false), ended.then(() => true)]);
  }
  await service.stop();
  assert.fail(`${readyAt} did not answer.\n${output}`);
}

async function answers(address: string): Promise<boolean> {
  const answer = await fetch(address).catch(() => undefined);
  await answer?.body?.cancel();
  return answer !== undefined && answer.status < 500;
}
