import { BridgeFailure } from '../failure.js';
import { inputLimits } from './limits.js';

/** Bounds the memory that all large bodies of an instance take together. */
export interface BodyBudget {
  /**
   * Runs something while a body of so many bytes is held.
   *
   * @throws BridgeFailure `too_many_requests` when the others leave no room for it.
   */
  hold<Result>(bytes: number, work: () => Promise<Result>): Promise<Result>;
}

/** Creates the budget of an instance. */
export function createBodyBudget(budget: number = inputLimits.bodyBytesInFlight.max): BodyBudget {
  let free = budget;
  return {
    async hold(bytes, work) {
      if (bytes <= inputLimits.smallBodyBytes.max) return work();
      if (bytes > free) {
        const details = 'body: expected fewer large bodies at once; try again';
        throw new BridgeFailure('too_many_requests', details, { retryAfterSeconds: 1 });
      }
      free -= bytes;
      try {
        return await work();
      } finally {
        free += bytes;
      }
    },
  };
}
