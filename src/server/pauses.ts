import type { Clock } from './clock.js';

/** Waiting that can be cut short. */
export interface Pauses {
  /** Resolves after so many milliseconds, or when everybody is woken. */
  pause(milliseconds: number): Promise<void>;
  /** Ends every pause, those to come included. */
  end(): void;
  /** Whether {@link end} was called. */
  readonly isOver: boolean;
}

/** Starts with nobody waiting. */
export function createPauses(clock: Clock): Pauses {
  const wakers = new Set<() => void>();
  let isOver = false;
  return {
    pause(milliseconds) {
      if (isOver) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          cancel();
          wakers.delete(wake);
          resolve();
        };
        const cancel = clock.after(milliseconds, wake);
        wakers.add(wake);
      });
    },
    end() {
      isOver = true;
      for (const wake of [...wakers]) wake();
    },
    get isOver() {
      return isOver;
    },
  };
}
