import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBulkDetails } from '../../../src/bridge/domain/producers/bulk-onboarding.js';
import { testDatabase } from '../../support/database.js';
import { npnsFrom } from './bulk-job.js';
import { startNeighbor } from './second-instance.js';
import { registryUpTo } from './numbered-registry.js';
import { createOwner, queueBulk } from './queued-job.js';

test('A graceful stop finishes the current batch and leaves the others to the next instance.', async (t) => {
  const database = await testDatabase();
  t.after(() => database.stop());
  let reached = () => {};
  let open = () => {};
  const isHeld = new Promise<void>((resolve) => (reached = resolve));
  const gate = new Promise<void>((resolve) => (open = resolve));
  const { findKnown, ...others } = registryUpTo(1_000_000);
  const gated: typeof findKnown = async (mode, npns) => {
    reached();
    await gate;
    return findKnown(mode, npns);
  };
  const registry = { ...others, findKnown: gated };
  const first = await startNeighbor(database.url, registry);
  t.after(() => first.stop());
  const owner = await createOwner(database.db);
  const job = await queueBulk(database.db, owner, npnsFrom(1, 4_000));
  await isHeld;
  const stopped = first.stop();
  open();
  await stopped;
  assert.equal((await readBulkDetails({ db: database.db, registry }, owner, job.id, 1)).totalCount, 1_000);

  const second = await startNeighbor(database.url, registryUpTo(1_000_000));
  t.after(() => second.stop());
  assert.equal((await job.finished()).successCount, 4_000);
});
