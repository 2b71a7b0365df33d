import type { Clock } from '../clock.js';

/** A piece of work by key. */
export interface Coalesced<Result> {
  /** Does the work, or shares one that starts after this call. */
  run(key: string, work: () => Promise<Result>): Promise<Result>;
  /** When work for a key last succeeded, in milliseconds since 1970; 0 if it is not known. */
  lastSuccessAt(key: string): number;
}

interface Lane<Result> {
  current: Promise<Result>;
  next: Promise<Result> | undefined;
}

const maxRemembered = 10_000;

/**
 * Runs at most one piece of work for a key at a time, and however many ask meanwhile share the next one. Not the running
 * one: it may have read before the change that the new caller wants to see. A pause between two pieces bounds what a flood of
 * deliveries can cost the bridge; the first one never waits.
 */
export function coalesceByKey<Result>(clock: Clock, pauseMs: number): Coalesced<Result> {
  const lanes = new Map<string, Lane<Result>>();
  const successes = new Map<string, number>();

  function remember(key: string): void {
    successes.delete(key);
    successes.set(key, clock.now());
    const [oldest] = successes.keys();
    if (successes.size > maxRemembered && oldest !== undefined) successes.delete(oldest);
  }

  async function runNow(work: () => Promise<Result>, key: string): Promise<Result> {
    const result = await work();
    remember(key);
    return result;
  }

  function start(key: string, work: () => Promise<Result>): Promise<Result> {
    const lane: Lane<Result> = { current: runNow(work, key), next: undefined };
    lanes.set(key, lane);
    const leave = () => {
      clock.after(pauseMs, () => {
        if (lanes.get(key) === lane && !lane.next) lanes.delete(key);
      });
    };
    lane.current.then(leave, leave);
    return lane.current;
  }

  function startAfter(lane: Lane<Result>, key: string, work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const startNext = () => {
        clock.after(pauseMs, () => {
          start(key, work).then(resolve, reject);
        });
      };
      lane.current.then(startNext, startNext);
    });
  }

  return {
    run(key, work) {
      const lane = lanes.get(key);
      return lane ? (lane.next ??= startAfter(lane, key, work)) : start(key, work);
    },
    lastSuccessAt: (key) => successes.get(key) ?? 0,
  };
}
