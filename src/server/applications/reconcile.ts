import type { Clock } from '../clock.js';
import { isNotFound } from '../client/bridge-client-error.js';
import { concurrently } from '../concurrently.js';
import type { Log } from '../log.js';
import { messageOf } from '../redact.js';
import type { LicensingStore } from '../store/store.js';
import type { ApplicationLink } from './application-link.js';
import { capabilityLifetimeSeconds } from '../webhooks/capability.js';
import type { CurrentApplications } from './current-applications.js';
import { isFinished, isSubmitted, type KnownApplication } from './known-application.js';

/** Options of `reconcile()`. */
export interface ReconcileOptions {
  /** How many applications are read at once, from 1 to 50. Default: 4. */
  concurrency?: number;
  /** Ends it early. What was read until then is kept and told. */
  signal?: AbortSignal;
}

/** What `reconcile()` found. */
export interface ReconcileSummary {
  /** How many applications were read. */
  read: number;
  /** How many of them had changed without our knowing: their webhooks were lost, or are on their way. */
  changed: number;
  /** How many will not change any more and are not read again. */
  finished: number;
  /** How many could not be read. They are read the next time. */
  failed: number;
  /** Whether all open applications were gone through. Not when `signal` ended it, or when the bridge could not be asked. */
  isComplete: boolean;
}

/** What {@link reconcileApplications} works with. */
export interface ReconcileContext {
  store: LicensingStore;
  applications: CurrentApplications;
  clock: Clock;
  log: Log;
}

const pageSize = 100;
/** So many failures in a row are an outage: to go on would only be more load for a bridge that has enough. */
const outageAfter = 10;
/** As long as the address of its webhooks is good. */
const longestOpenMs = capabilityLifetimeSeconds * 1_000;

/** Reads every open application again. */
export async function reconcileApplications(
  { store, applications, clock, log }: ReconcileContext,
  { concurrency = 4, signal }: ReconcileOptions,
): Promise<ReconcileSummary> {
  if (!(concurrency >= 1 && concurrency <= 50)) throw new TypeError('concurrency must be from 1 to 50.');
  const summary: ReconcileSummary = { read: 0, changed: 0, finished: 0, failed: 0, isComplete: false };
  let failuresInARow = 0;
  const mayGoOn = () => signal?.aborted !== true && failuresInARow < outageAfter;

  async function finish({ applicationId }: ApplicationLink): Promise<void> {
    await store.finish(applicationId);
    summary.finished += 1;
  }

  async function readOne(link: ApplicationLink): Promise<void> {
    if (!mayGoOn()) return;
    const isOld = clock.now() - Date.parse(link.createdAt) > longestOpenMs;
    try {
      const before = await store.readState(link.applicationId);
      const { version, application } = await applications.refresh(link);
      failuresInARow = 0;
      summary.read += 1;
      const isNews = before ? version !== before.version : application.progress.step !== 'not_started';
      if (isNews) summary.changed += 1;
      if (isOld || isFinished(application) || isAbandoned(link, application, clock.now())) await finish(link);
    } catch (error) {
      failuresInARow = isNotFound(error) ? 0 : failuresInARow + 1;
      summary.failed += 1;
      log({
        level: 'warn',
        event: 'reconcile.failed',
        applicationId: link.applicationId,
        message: messageOf(error),
      });
      if (isOld) await finish(link);
    }
  }

  for (let after: string | undefined; ;) {
    const page = await store.openLinks(after, pageSize);
    await concurrently(page, concurrency, readOne);
    after = page.at(-1)?.applicationId;
    if (!mayGoOn()) return summary;
    if (page.length < pageSize) return { ...summary, isComplete: true };
  }
}

/** Whether nobody can go on with it: its address has ended before it was submitted. */
function isAbandoned({ expiresAt }: ApplicationLink, application: KnownApplication, now: number): boolean {
  return !isSubmitted(application) && expiresAt !== undefined && Date.parse(expiresAt) < now;
}
