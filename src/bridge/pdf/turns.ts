import { setImmediate } from 'node:timers/promises';

/** The work that was started last. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs work that takes long for the event loop, one piece in each of its turns, so that it serves
 * others in between. All work of this process waits in one queue: two at once would take two pieces
 * of each turn.
 */
export function runInTurns(pieces: Iterator<unknown>): Promise<void> {
  const done = last.then(() => runPieces(pieces));
  last = done.catch(() => undefined);
  return done;
}

async function runPieces(pieces: Iterator<unknown>): Promise<void> {
  while (pieces.next().done !== true) await setImmediate();
}
