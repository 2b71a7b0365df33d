/** The timers of this page. They run in real time, or at once when a test advances past them. */
export interface FakeTimers {
  /** Advances the time: runs every timer that is due by then, in order. */
  advance(ms: number): void;
  /** Restores the timers of the browser. Timers that are still pending never run. */
  restore(): void;
}

type Run = (...args: unknown[]) => void;

interface Timer {
  run: Run;
  dueAt: number;
  /** The period of an interval. */
  everyMs?: number;
  /** The browser's timer that runs this one in real time. */
  id?: number;
}

/**
 * Replaces `setTimeout`, `setInterval` and `performance.now`, so that no test waits for a long
 * pause.
 */
export function fakeTimers(): FakeTimers {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = window;
  const realNow = performance.now.bind(performance);
  const pending = new Map<number, Timer>();
  let advancedMs = 0;
  // Far from the ids of the browser's own timers, which may still have to be cleared.
  let lastId = 1e9;

  const now = () => realNow() + advancedMs;

  function start(timer: Timer): number {
    lastId += 1;
    const id = lastId;
    pending.set(id, timer);
    arm(id, timer);
    return id;
  }

  function arm(id: number, timer: Timer): void {
    clearTimeout.call(window, timer.id);
    timer.id = setTimeout.call(window, () => fire(id, timer), timer.dueAt - now()) as unknown as number;
  }

  function fire(id: number, timer: Timer): void {
    if (timer.everyMs === undefined) cancel(id);
    else {
      timer.dueAt += timer.everyMs;
      arm(id, timer);
    }
    timer.run();
  }

  function cancel(id = 0): void {
    const timer = pending.get(id);
    clearTimeout.call(window, timer ? timer.id : id);
    pending.delete(id);
  }

  function nextDue(until: number): [number, Timer] | undefined {
    return [...pending]
      .filter(([, { dueAt }]) => dueAt <= until)
      .sort(([, one], [, other]) => one.dueAt - other.dueAt)[0];
  }

  Object.assign(window, {
    setTimeout: (run: Run, delayMs = 0, ...args: unknown[]) =>
      start({ run: () => run(...args), dueAt: now() + delayMs }),
    setInterval: (run: Run, everyMs = 0) => start({ run, dueAt: now() + everyMs, everyMs }),
    clearTimeout: cancel,
    clearInterval: cancel,
  });
  performance.now = now;

  return {
    advance(ms) {
      const until = now() + ms;
      for (let due = nextDue(until); due; due = nextDue(until)) {
        advancedMs += Math.max(0, due[1].dueAt - now());
        fire(...due);
      }
      advancedMs += Math.max(0, until - now());
      for (const [id, timer] of pending) arm(id, timer);
    },
    restore() {
      for (const id of pending.keys()) cancel(id);
      Object.assign(window, { setTimeout, clearTimeout, setInterval, clearInterval });
      Reflect.deleteProperty(performance, 'now');
    },
  };
}
