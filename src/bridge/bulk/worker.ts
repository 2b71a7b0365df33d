import { createWorkLoop, type WorkLoop } from '../work-loop.js';
import { onboardNextBatch, type BatchContext } from './batch.js';

/**
 * Makes what does the bulk onboardings of all agencies, batch by batch. Any number of instances may run, on one job too. `stop`
 * finishes the batch that is held and claims no other.
 */
export function createBulkWorker(context: BatchContext): WorkLoop {
  return createWorkLoop({
    look: () => onboardNextBatch(context),
    onError: (error) => {
      context.log.error({ err: error }, 'Bulk onboarding could not go on.');
    },
  });
}
