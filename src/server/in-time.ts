import type { Clock } from './clock.js';
import { promised } from './promised.js';

/**
 * What a function of the partner answers, unless it takes longer than so many seconds. It cannot be ended; what it answers later
 * is let go of. Rejects then with an Error that names it.
 */
export function inTime<Result>(
  clock: Clock,
  seconds: number,
  name: string,
  call: () => Result | Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(seconds * 1_000, () => {
      reject(new Error(`${name} took longer than ${String(seconds)} seconds.`));
    });
    promised(call)().then(resolve, reject).finally(stop);
  });
}
