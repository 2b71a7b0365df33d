import type { Bindings } from './bindings.js';

/**
 * Whether the other side left, or was sent away for being slow, before its request was complete. What fails then is no failure
 * of ours, and nobody is there to read an answer.
 */
export function isCutOff({ incoming }: Bindings): boolean {
  return incoming !== undefined && incoming.destroyed && !incoming.complete;
}
