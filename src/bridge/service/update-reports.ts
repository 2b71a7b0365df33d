import { setTimeout } from 'node:timers/promises';
import type { BridgeContext } from '../domain/context.js';
import { randomId } from '../domain/keys/keys.js';
import { withRequestId } from '../domain/request-id.js';
import { announceReported } from '../domain/webhooks/announce-producers.js';

/** The reports of updates by the registry's adapter. */
export interface UpdateReports {
  /** Ends the reports. */
  stop(): Promise<void>;
}

/** How long the bridge waits for a registry that could not start its reports, in milliseconds. */
export const reportsPauseMs = 30_000;

/**
 * Has the adapter of the registry report updates, and announces them. A registry that is not
 * reachable is asked again every {@link reportsPauseMs}: the rest of the bridge works without it.
 */
export function startUpdateReports(context: BridgeContext, pauseMs = reportsPauseMs): UpdateReports {
  const { registry, log } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  let end: (() => Promise<void>) | undefined;

  async function start(): Promise<void> {
    end = await registry.watchUpdates?.((mode, updates) =>
      withRequestId(randomId('reg'), () => announceReported(context, mode, updates)),
    );
    // Stopped meanwhile.
    if (signal.aborted) await finish();
  }

  async function startAgainUntilItWorks(): Promise<void> {
    while (!signal.aborted) {
      try {
        await start();
        return;
      } catch (error) {
        log.error({ err: error }, 'The adapter of the registry could not start its reports of updates.');
      }
      await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async function finish(): Promise<void> {
    // Guarded here, because it is not a method of the adapter. Its error may quote a record.
    await end?.().catch(() => {
      log.error('The adapter of the registry could not end its reports of updates.');
    });
  }

  void startAgainUntilItWorks();
  return {
    stop() {
      stopping.abort();
      return finish();
    },
  };
}
