import type { Clock } from '../clock.js';

/** A piece of work by key. */
export interface Coalesced<Result> {
  /** Does the work, or shares one that starts after this call. */
  run(key: string, work: () => Promise<Result>): Promise<Result>;
  /** When work for a key last succeeded, in milliseconds since 1970; 0 if it is not known. */
  lastSuccessAt(key: string): number;
}

interface Lane<Result> {
  current: Promise<Result> | undefined;
  next: Promise<Result> | undefined;
  /** When the pauses after all its work so far would be over. A time, not a timer: hardly ever does anybody wait for it. */
  restsUntil: number;
  lastSuccessAt: number;
}

const maxRemembered = 10_000;

/** How often work for a key can be done, beside that it is never done twice at the same time. */
export interface Pace {
  /** The pause that belongs to each piece of work. */
  pauseMs: number;
  /** How many pieces may follow each other at once, their pauses saved up for later. */
  maxInARow: number;
}

/**
 * Runs at most one piece of work for a key at a time, and however many ask meanwhile share the next one. Not the running
 * one: it may have read before the change that the new caller wants to see. The pauses bound what a flood of deliveries can
 * cost the bridge; the first few never wait.
 */
export function coalesceByKey<Result>(clock: Clock, { pauseMs, maxInARow }: Pace): Coalesced<Result> {
  const freeRestMs = (maxInARow - 1) * pauseMs;
  const lanes = new Map<string, Lane<Result>>();

  async function doWork(lane: Lane<Result>, work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      lane.lastSuccessAt = clock.now();
      return result;
    } finally {
      lane.current = undefined;
      lane.restsUntil = clock.now() + restMs(lane) + pauseMs;
    }
  }

  const start = (lane: Lane<Result>, work: () => Promise<Result>) => (lane.current = doWork(lane, work));

  function open(key: string): Lane<Result> {
    const lane = { current: undefined, next: undefined, restsUntil: 0, lastSuccessAt: 0 };
    lanes.set(key, lane);
    if (lanes.size > maxRemembered) {
      // Of an idle one only a pause is lost, and that it was read lately.
      for (const [oldest, { current, next }] of lanes) {
        if (current || next) continue;
        lanes.delete(oldest);
        break;
      }
    }
    return lane;
  }

  function startAfter(lane: Lane<Result>, work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const startNext = () => {
        clock.after(Math.max(0, restMs(lane) - freeRestMs), () => {
          lane.next = undefined;
          start(lane, work).then(resolve, reject);
        });
      };
      Promise.resolve(lane.current).then(startNext, startNext);
    });
  }

  /** Never more than there can be, though the clock may be set back. */
  function restMs({ restsUntil }: Lane<Result>): number {
    return Math.min(freeRestMs + pauseMs, Math.max(0, restsUntil - clock.now()));
  }

  return {
    run(key, work) {
      const lane = lanes.get(key) ?? open(key);
      const mustWait = lane.current ?? lane.next ?? restMs(lane) > freeRestMs;
      return mustWait ? (lane.next ??= startAfter(lane, work)) : start(lane, work);
    },
    lastSuccessAt: (key) => lanes.get(key)?.lastSuccessAt ?? 0,
  };
}
