import { BridgeClientError, isBridgeError } from './bridge-client-error.js';
import { startDeadline } from './deadline.js';
import { checkTimeout, type CallOptions, type Settings } from './options.js';
import type { ReceivedBulkStatus } from './received.js';

/** Options of waiting for a bulk onboarding. */
export interface BulkWaitOptions {
  /** Ends the waiting, which rejects with the code `aborted`. The bulk onboarding goes on. */
  signal?: AbortSignal;
  /** How long to wait in all, in milliseconds; then it rejects with the code `timeout`. Default: as long as it takes. */
  timeoutMs?: number;
}

const firstDelayMs = 500;
const longestDelayMs = 10_000;
/** A bridge that is being restarted or moved is back by then. */
const longestOutageMs = 5 * 60_000;

/** Asks for the status of a bulk onboarding, less and less often, until it is completed. */
export async function waitForBulk(
  started: Promise<{ id: string }>,
  readStatus: (id: string, options: CallOptions) => Promise<ReceivedBulkStatus>,
  { signal, timeoutMs }: BulkWaitOptions,
  { clock, random, log }: Settings,
): Promise<ReceivedBulkStatus> {
  const deadline = startDeadline(clock, timeoutMs === undefined ? undefined : checkTimeout(timeoutMs), signal);
  try {
    const { id } = await deadline.race(started);
    let answeredAt = clock.now();
    for (let attempt = 0; ; attempt += 1) {
      // Half of it jitter: jobs that were started together are not asked for together.
      const ceilingMs = Math.min(longestDelayMs, firstDelayMs * 1.5 ** attempt);
      let delayMs = Math.round((ceilingMs * (1 + random())) / 2);
      try {
        const status = await readStatus(id, { signal: deadline.signal });
        // Not every host repeats the id, and the next call needs it.
        if (isCompleted(status)) return { ...status, id };
        answeredAt = clock.now();
      } catch (error) {
        // The job does not end because somebody cannot be reached who knows of it.
        if (!isBridgeError(error) || !error.retryable || clock.now() - answeredAt > longestOutageMs) throw error;
        delayMs = Math.max(delayMs, error.retryAfterMs ?? 0);
      }
      log?.({ level: 'debug', event: 'bridge.bulk_wait', attempt, delayMs });
      await deadline.sleep(delayMs);
    }
  } catch (error) {
    const ended = deadline.ended();
    if (!ended) throw error;
    throw new BridgeClientError({
      code: ended,
      operation: 'getBulkStatus',
      message: 'Nobody waits for this bulk onboarding any more. It goes on: wait again with its id.',
      retryable: ended === 'timeout',
    });
  } finally {
    deadline.clear();
  }
}

/** While a job runs, both counts are 0 (spec, rule 7); a job has at least one NPN, so one of them is not afterwards. */
function isCompleted({ successCount, failureCount }: ReceivedBulkStatus): boolean {
  return successCount + failureCount > 0;
}
