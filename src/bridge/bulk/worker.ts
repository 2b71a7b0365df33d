import { onboardNextBatch, type BatchContext } from './batch.js';

/** Does the bulk onboardings of all agencies, batch by batch. Any number of instances may run, on one job too. */
export interface BulkWorker {
  start(): void;
  /** Looks for work now instead of at the next poll. */
  wake(): void;
  /** Finishes the batch that it holds and claims no other. A second call waits for the first. */
  stop(): Promise<void>;
}

/** The truth about what is due; waking is only faster. Also how long another instance's work can wait for our help. */
const pollMs = 1_000;

/** Makes the worker. Nothing happens before `start`. */
export function createBulkWorker(context: BatchContext): BulkWorker {
  const stopping = new AbortController();
  let loop: Promise<void> | undefined;
  let wakeUps = 0;
  let wakeLoop: (() => void) | undefined;

  const wake = () => {
    wakeUps += 1;
    wakeLoop?.();
  };

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const seen = wakeUps;
      // Woken meanwhile, or told to stop: no waiting.
      if (!(await work()) && wakeUps === seen) await nextSignal();
    }
  }

  async function work(): Promise<boolean> {
    try {
      return await onboardNextBatch(context);
    } catch (error) {
      context.log.error({ err: error }, 'Bulk onboarding could not go on.');
      return false;
    }
  }

  function nextSignal(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      wakeLoop = () => {
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
      stopping.abort();
      wake();
      await loop;
    },
  };
}
