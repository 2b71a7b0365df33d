import { setImmediate as nextTurn } from 'node:timers/promises';

/** Resolves once the condition holds; rejects when it does not within ten seconds. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain: ${what}`);
    await nextTurn();
  }
}
