import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../src/server/index.js';

/** A clock that only moves on request. */
export interface ManualClock extends Clock {
  /** Advances the time: runs due timers in order, and settles promises between them. */
  advance(milliseconds: number): Promise<void>;
  /** Advances the time without running timers. Due ones run with the next {@link advance}. */
  leap(milliseconds: number): void;
  /** The number of pending timers. */
  readonly timers: number;
}

/** Starts at a round time. */
export function manualClock(): ManualClock {
  let now = Date.UTC(2026, 10, 20, 12);
  const timers = new Map<symbol, { at: number; callback: () => void }>();
  const nextDue = (end: number) =>
    [...timers].filter(([, { at }]) => at <= end).sort(([, left], [, right]) => left.at - right.at)[0];
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  };
  return {
    now: () => now,
    after(milliseconds, callback) {
      const id = Symbol('timer');
      timers.set(id, { at: now + milliseconds, callback });
      return () => timers.delete(id);
    },
    async advance(milliseconds) {
      const end = now + milliseconds;
      await settle();
      for (let due = nextDue(end); due; due = nextDue(end)) {
        timers.delete(due[0]);
        now = Math.max(now, due[1].at);
        due[1].callback();
        await settle();
      }
      now = end;
    },
    leap(milliseconds) {
      now += milliseconds;
    },
    get timers() {
      return timers.size;
    },
  };
}
