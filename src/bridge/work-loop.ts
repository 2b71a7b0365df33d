/** Looks for work again and again: whenever it is woken, and at least once a poll. */
export interface WorkLoop {
  start(): void;
  /** Looks now instead of at the next poll. */
  wake(): void;
  /** Looks no more. Resolves once a look that is under way has ended. */
  stop(): Promise<void>;
}

/** The parts of a loop. */
export interface WorkLoopOptions {
  /** Takes what there is to do. Resolves with whether to look again at once. */
  look(): Promise<boolean>;
  /** Receives the error of a failed look. The next one comes as after any other. */
  onError(error: unknown): void;
}

/** The truth about what is due; waking is only faster. Also how long another instance's work can wait for this one's help. */
export const pollMs = 1_000;

/** Makes the loop of a worker. Nothing happens before `start`. */
export function createWorkLoop({ look, onError }: WorkLoopOptions): WorkLoop {
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
      const isMoreThere = await look().catch((error: unknown) => {
        onError(error);
        return false;
      });
      // Woken or stopped meanwhile: no waiting.
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
