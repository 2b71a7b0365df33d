import type { ReceivedBulkStatus } from '../../contract/index.js';
import { assertKnownNames } from '../configuration.js';
import { BridgeClientError, isBridgeClientError } from './bridge-client-error.js';
import type { BridgeBulk, BulkWaitOptions } from './bridge-client.js';
import { startDeadline } from './deadline.js';
import { checkTimeout, type Settings } from './options.js';

const firstDelayMs = 500;
const longestDelayMs = 10_000;
/** A bridge that is restarted or moved is back by then. */
const longestOutageMs = 5 * 60_000;

/** Reads the status of a bulk onboarding, less and less often, until it is completed. */
export async function waitForBulk(
  id: string,
  getStatus: BridgeBulk['getStatus'],
  options: BulkWaitOptions = {},
  { clock, random, log }: Settings,
): Promise<ReceivedBulkStatus> {
  assertKnownNames('waitUntilCompleted', options, ['signal', 'timeoutMs']);
  const { signal, timeoutMs } = options;
  const deadline = startDeadline(clock, timeoutMs === undefined ? undefined : checkTimeout(timeoutMs), signal);
  let answeredAt = clock.now();
  try {
    for (let attempt = 0; ; attempt += 1) {
      // Half of it jitter, so that jobs that were started together are not read together.
      const ceilingMs = Math.min(longestDelayMs, firstDelayMs * 1.5 ** attempt);
      let delayMs = Math.round((ceilingMs * (1 + random())) / 2);
      try {
        const status = await getStatus(id, { signal: deadline.signal });
        // Not every host repeats the id, and the next call needs it.
        if (isCompleted(status)) return { ...status, id };
        answeredAt = clock.now();
      } catch (error) {
        // The job continues while the bridge cannot be reached.
        const isOutage = isBridgeClientError(error) && error.retryable;
        if (!isOutage || clock.now() - answeredAt > longestOutageMs) throw error;
        delayMs = Math.max(delayMs, error.retryAfterMs ?? 0);
      }
      log({ level: 'debug', event: 'bridge.bulk_wait', attempt, delayMs });
      await deadline.sleep(delayMs);
    }
  } catch (error) {
    const endedBy = deadline.endedBy();
    if (!endedBy) throw error;
    throw new BridgeClientError({
      code: endedBy,
      operation: 'getBulkStatus',
      message: 'getBulkStatus: waiting was ended. The bulk onboarding continues: wait again with its id.',
      retryable: endedBy === 'timeout',
    });
  } finally {
    deadline.clear();
  }
}

/**
 * While a job runs, both counts are 0 (spec, rule 7). A job has at least one NPN, so one of them is
 * not 0 afterwards.
 */
function isCompleted({ successCount, failureCount }: ReceivedBulkStatus): boolean {
  return successCount + failureCount > 0;
}
