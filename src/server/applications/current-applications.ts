import { isNotFound } from '../client/bridge-client-error.js';
import type { BridgeClient } from '../client/bridge-client.js';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import { messageOf } from '../redact.js';
import type { LicensingStore, StoredState } from '../store/store.js';
import type { ApplicationLink } from './application-link.js';
import { coalesceByKey } from './coalesce.js';
import { factsBetween } from './facts.js';
import { completeApplication, isFinished, isSame } from './known-application.js';
import { mergeApplication } from './merge.js';
import type { Teller } from './teller.js';

/** How old a state may be that a status request is answered with. */
const freshMs = 1_000;
/** How often an application is read: ten times a second, and at once whatever follows one change of it. */
const pace = { pauseMs: 100, maxInARow: 5 };
/** More conflicts in a row than instances could cause by chance. */
const maxConflicts = 10;

/** The state of applications as the bridge has it, kept in the store. */
export interface CurrentApplications {
  /** Reads an application from the bridge, keeps what is new, and tells it. Calls at the same time share a reading. */
  refresh(link: ApplicationLink): Promise<StoredState>;
  /** What is known, read again if that is older than a second. The last known state when the bridge cannot be asked. */
  current(link: ApplicationLink): Promise<StoredState>;
}

/** What {@link createCurrentApplications} works with. */
export interface CurrentApplicationsContext {
  bridge: Pick<BridgeClient, 'applications'>;
  store: LicensingStore;
  clock: Clock;
  log: Log;
  teller: Teller;
}

/** Makes the one place where states are read, merged, kept and told. */
export function createCurrentApplications(context: CurrentApplicationsContext): CurrentApplications {
  const { bridge, store, clock, log, teller } = context;
  const readings = coalesceByKey<StoredState>(clock, pace);

  async function read(link: ApplicationLink): Promise<StoredState> {
    const { applicationId } = link;
    for (let conflicts = 0; conflicts < maxConflicts; conflicts += 1) {
      const unsettled = await store.unsettledDeliveries(applicationId);
      const before = await store.readState(applicationId);
      const application = completeApplication(link, await bridge.applications.get(applicationId));
      const merged = mergeApplication(before?.application, application);
      const isNews = !before || !isSame(before.application, merged);
      const version = before?.version ?? 0;
      const state = isNews ? { version: version + 1, application: merged } : before;
      if (isNews) {
        const facts = factsBetween(before?.application, merged, state.version).filter(teller.isHeard);
        // Another instance wrote meanwhile: what was read here may be older than that, so it is read again.
        if (!(await store.replaceState(applicationId, version, state, facts))) continue;
        if (facts.length > 0) void teller.tell(applicationId);
        try {
          await store.publish(applicationId);
        } catch (error) {
          // It is kept all the same: whoever is not told looks by itself before long.
          log({ level: 'error', event: 'store.failed', applicationId, message: messageOf(error) });
        }
        if (isFinished(merged)) await store.finish(applicationId);
      }
      if (unsettled.length > 0) {
        const ids = unsettled.map(({ id }) => id);
        await store.settleDeliveries(applicationId, ids);
      }
      return state;
    }
    throw new Error('Other instances keep changing this application.');
  }

  const refresh = (link: ApplicationLink) => readings.run(link.applicationId, () => read(link));

  return {
    refresh,
    async current(link) {
      const { applicationId } = link;
      const known = await store.readState(applicationId);
      // In either direction: a clock may be set back.
      const isFresh = Math.abs(clock.now() - readings.lastSuccessAt(applicationId)) < freshMs;
      if (known && (isFresh || isFinished(known.application))) {
        const unsettled = await store.unsettledDeliveries(applicationId);
        if (unsettled.length === 0) return known;
      }
      try {
        return await refresh(link);
      } catch (error) {
        // That there is no such application is an answer, too.
        if (!known || isNotFound(error)) throw error;
        log({ level: 'warn', event: 'application.stale', applicationId });
        return known;
      }
    },
  };
}
