import type { Logger } from 'pino';
import type { Database } from '../store/tables/typed-database.js';
import { sweepNextStreams } from '../store/webhooks/endpoint-store.js';
import { createWorkLoop, type WorkLoop } from './work-loop.js';

/** The dependencies of the sweeper. */
export interface EndpointSweeperOptions {
  db: Database;
  clock: () => Date;
  log: Logger;
}

/**
 * Creates the loop that adapts the waiting streams of agencies to a changed endpoint, in pieces:
 * after 410, and after another URL of the account. Several instances may run.
 */
export function createEndpointSweeper({ db, clock, log }: EndpointSweeperOptions): WorkLoop {
  return createWorkLoop({
    poll: () => sweepNextStreams(db, clock()),
    onError: (error) => {
      log.error({ err: error }, 'Waiting webhooks could not follow the change of their endpoint.');
    },
  });
}
