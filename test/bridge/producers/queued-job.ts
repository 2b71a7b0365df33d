import type { Database } from '../../../src/bridge/store/tables/typed-database.js';
import { readBulkStatus, startBulkOnboarding } from '../../../src/bridge/domain/producers/bulk-onboarding.js';
import { createAgency } from '../../../src/bridge/index.js';
import type { Owner } from '../../../src/bridge/store/owner.js';
import { until } from '../until.js';

const clock = () => new Date();

/** Creates an agency. */
export async function createOwner(db: Database): Promise<Owner> {
  const { agencyId } = await createAgency({ db, clock }, 'Example Agency');
  return { agencyId, mode: 'test' };
}

/** Stores a job that subscribes, in a database without a running bridge. */
export async function queueBulk(db: Database, owner: Owner, npns: readonly (string | number)[]) {
  const request = { npn: npns.map(String), onboardType: 'subscribe' as const };
  const { id } = await startBulkOnboarding(
    { db, clock, wakeBulk: () => undefined },
    { ...owner, credentialId: 'crd_1' },
    request,
  );
  return {
    id,
    /** Polls until the job has finished. */
    finished: () =>
      until(
        () => readBulkStatus({ db }, owner, id),
        ({ npns: done }) => done.length > 0,
      ),
  };
}
