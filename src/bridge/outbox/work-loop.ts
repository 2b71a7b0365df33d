/** Polls for work: whenever it is woken, and at least once per poll interval. */
export interface WorkLoop {
  start(): void;
  /** Polls now. */
  wake(): void;
  /** Stops polling. Resolves after the current poll has ended. */
  stop(): Promise<void>;
}

/** The options of a loop. */
export interface WorkLoopOptions {
  /** Does the available work. Resolves with whether to poll again at once. */
  poll(): Promise<boolean>;
  /** Receives the error of a failed poll. Polling continues. */
  onError(error: unknown): void;
}

/** The poll interval. Waking is only faster; work of other instances is found by polling. */
export const pollMs = 1_000;

/** Creates the loop of a worker. It does nothing before `start`. */
export function createWorkLoop({ poll, onError }: WorkLoopOptions): WorkLoop {
  let isStopping = false;
  let loop: Promise<void> | undefined;
  let wakeUps = 0;
  let endWait: (() => void) | undefined;

  const wake = () => {
    wakeUps += 1;
    endWait?.();
  };

  async function run(): Promise<void> {
    while (!isStopping) {
      const seen = wakeUps;
      const isMoreThere = await poll().catch((error: unknown) => {
        onError(error);
        return false;
      });
      // Woken or stopped meanwhile: do not wait.
      if (!isMoreThere && wakeUps === seen) await nextSignal();
    }
  }

  function nextSignal(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    start() {
      loop ??= run();
    },
    wake,
    async stop() {
      isStopping = true;
      wake();
      await loop;
    },
  };
}
