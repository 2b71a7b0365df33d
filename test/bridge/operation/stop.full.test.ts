import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import type { ErrorBody } from '../../../src/contract/index.js';
import { startBulkOnboarding } from '../../../src/bridge/domain/producers/bulk-onboarding.js';
import type { TestBridgeOptions } from '../../support/bridge.js';
import { testDatabase } from '../../support/database.js';
import { placeAt } from '../apply/support/shortcuts.js';
import { startApplyService } from '../apply/support/service.js';
import { createVisitor, shownIn, typed } from '../apply/support/visitor.js';
import { createApplication, submitApplication } from '../applications.js';
import { untilBlocked } from '../blocked.js';
import { until } from '../until.js';

/** A bridge whose database can still be read after the bridge has stopped. */
async function setup(t: TestContext, { environment, ...options }: TestBridgeOptions = {}) {
  const { db, url, stop } = await testDatabase();
  const bridge = await startApplyService({ ...options, environment: { DATABASE_URL: url, ...environment } });
  t.after(async () => {
    await bridge.stop();
    await stop();
  });
  /** Locks the row of an application, so that changes wait. Resolves after the lock. */
  async function holdApplication(id: string): Promise<() => Promise<void>> {
    const trx = await db.startTransaction().execute();
    await trx.selectFrom('application').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
    return async () => {
      await trx.commit().execute();
    };
  }
  return { ...bridge, db, holdApplication };
}

/** Resolves when a port accepts no connections. */
const isClosed = (url: string) =>
  until(async () => {
    const answer = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined);
    await answer?.text();
    return answer === undefined;
  });

test('First /readyz fails while everything else is served; then the ports close.', async (t) => {
  const { bridgeUrl, applyUrl, stop } = await setup(t, { environment: { BRIDGE_STOP_DELAY: '1' } });
  assert.equal((await fetch(`${bridgeUrl}/readyz`)).status, 200);
  const stopped = stop();
  const ready = await fetch(`${bridgeUrl}/readyz`);
  assert.equal(ready.status, 503);
  assert.equal(((await ready.json()) as ErrorBody).code, 50301);
  assert.equal(ready.headers.get('connection'), 'close');
  assert.equal((await fetch(`${bridgeUrl}/healthz`)).status, 200);
  assert.equal((await fetch(`${applyUrl}/s/some-token`)).status, 404);
  await stopped;
  await assert.rejects(fetch(`${bridgeUrl}/healthz`));
  await assert.rejects(fetch(`${applyUrl}/s/some-token`));
});

test('A current page is finished, with the job that it schedules.', async (t) => {
  const bridge = await setup(t);
  const session = await bridge.createSession({ states: ['TX'] });
  // An SSN without a simulated decision, so the department needs a job.
  await placeAt(bridge, session, 'payment', { ssn: '900-12-1234' });
  const { html } = await createVisitor().get(`${session.applicationUrl}/payment`);
  const release = await bridge.holdApplication(session.applicationId);
  const body = new URLSearchParams({ ...typed.payment, shown: shownIn(html) ?? '' });
  const response = fetch(`${session.applicationUrl}/payment`, { method: 'POST', redirect: 'manual', body });
  await untilBlocked(bridge.db);
  const stopped = bridge.stop();
  await isClosed(bridge.applyUrl);
  await release();
  assert.equal((await response).status, 303);
  await stopped;
  const { rows } = await sql<{ state: string }>`
    select data->>'state' as state from pgboss.job where name = 'department'`.execute(bridge.db);
  assert.deepEqual(rows, [{ state: 'TX' }]);
});

test('A running job is finished.', async (t) => {
  const bridge = await setup(t);
  const { db, context, logged } = bridge;
  const applicationId = await createApplication(bridge);
  await submitApplication(bridge, applicationId, '1234');
  await sql`delete from pgboss.job where name = 'department'`.execute(db);
  const release = await bridge.holdApplication(applicationId);
  await db
    .transaction()
    .execute((trx) => context.schedule(trx, 'department', { applicationId, state: 'TX', status: 'approved' }, 0));
  await until(() => Promise.resolve(logged.some((line) => line.includes('A simulated department decides.'))));
  await untilBlocked(db);
  const stopped = bridge.stop();
  await release();
  await stopped;
  const { status } = await db.selectFrom('applicationState').select('status').executeTakeFirstOrThrow();
  assert.equal(status, 'approved');
  const { rows } = await sql<{ state: string }>`select state from pgboss.job where name = 'department'`.execute(db);
  assert.deepEqual(rows, [{ state: 'completed' }]);
});

test('A batch of a bulk onboarding is finished, and no other is started.', async (t) => {
  let answer = () => {};
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const findKnown = (_mode: string, npns: readonly string[]) => {
    asked();
    return new Promise<Set<string>>((resolve) => {
      answer = () => {
        resolve(new Set(npns));
      };
    });
  };
  const { stop, db, context, agencyId } = await setup(t, {
    producerRegistry: { findKnown } as never,
  });
  const npn = Array.from({ length: 5_000 }, (_, index) => String(index + 1));
  await startBulkOnboarding(context, { agencyId, mode: 'test', credentialId: 'crd_1' }, { npn, onboardType: 'lookup' });
  await isAsked;
  const stopped = stop();
  answer();
  await stopped;
  const batches = await db.selectFrom('bulkBatch').select('outcomes').execute();
  assert.ok(batches.length > 1);
  assert.equal(batches.filter(({ outcomes }) => outcomes !== null).length, 1);
});
