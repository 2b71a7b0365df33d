import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Announcement, Answers, Question } from './usage.js';

/** A separate process, so that its usage can be measured alone. */
export interface Child<Announced extends Announcement = Announcement> {
  /** Its message at the start. */
  announced: Announced;
  /** Reads its usage. */
  ask<Asked extends Question>(question: Asked): Promise<Answers[Asked]>;
  stop(): Promise<void>;
}

/** Starts one of the programs beside this file. Resolves once it listens. */
export async function startChild<Announced extends Announcement>(
  program: string,
  ...words: string[]
): Promise<Child<Announced>> {
  const child = fork(fileURLToPath(new URL(`./${program}.ts`, import.meta.url)), words, {
    execArgv: ['--import', 'tsx', '--expose-gc'],
  });
  const nextMessage = () =>
    new Promise<unknown>((resolve, reject) => {
      const onExit = (code: number | null) => {
        reject(new Error(`${program} ${words.join(' ')} ended with ${String(code)}.`));
      };
      child.once('exit', onExit);
      child.once('message', (message) => {
        child.off('exit', onExit);
        resolve(message);
      });
    });
  return {
    announced: (await nextMessage()) as Announced,
    async ask<Asked extends Question>(question: Asked) {
      const message = nextMessage();
      child.send(question);
      return ((await message) as { answer: Answers[Asked] }).answer;
    },
    async stop() {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.kill();
      await exit;
    },
  };
}
