import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import type { ErrorBody, Session } from '../../../src/contract/index.js';
import { createSession } from '../../../src/bridge/domain/sessions/create-session.js';
import { startBulkOnboarding } from '../../../src/bridge/domain/producers/bulk-onboarding.js';
import {
  createAgency,
  createLogger,
  readEnvironment,
  startBridge,
  type StartOptions,
} from '../../../src/bridge/index.js';
import { listen } from '../../../src/bridge/http/server.js';
import type { ProducerRegistry } from '../../../src/bridge/ports/producer-registry.js';
import { testDatabase } from '../../support/database.js';
import { createVisitor, typed, walkTo } from '../apply/support/visitor.js';
import { startReceiver } from '../receiver.js';

/** A bridge whose database can still be read after the bridge has stopped. */
async function setup(t: TestContext, options: StartOptions = {}, variables: Record<string, string> = {}) {
  const database = await testDatabase();
  const logged: string[] = [];
  const bridge = await startBridge(
    readEnvironment({
      BRIDGE_PORT: '0',
      APPLY_PORT: '0',
      DATABASE_URL: database.url,
      BRIDGE_SECRET_KEY: randomBytes(32).toString('base64'),
      BRIDGE_ALLOW_LOOPBACK_WEBHOOKS: 'true',
      BRIDGE_ALLOW_SAMPLE_FEES: 'true',
      ...variables,
    }),
    {
      log: createLogger('info', { write: (line) => void logged.push(line) }),
      assets: { href: (name) => name, at: () => undefined },
      ...options,
    },
  );
  t.after(async () => {
    await bridge.stop();
    await database.stop();
  });
  const { agencyId } = await createAgency(bridge.context, 'Example Agency');
  const owner = { agencyId, mode: 'test' as const };
  const newSession = (webhookUrl?: string): Promise<Session> =>
    createSession(
      bridge.context,
      owner,
      {
        userId: 'usr_abc123',
        applicationType: 'new',
        licenseType: 'life_health',
        states: ['TX'],
        returnUrl: 'https://partner.example/done',
        ...(webhookUrl === undefined ? {} : { webhookUrl }),
      },
      undefined,
    );
  /** Locks the row of an application, so that changes wait. Resolves after the lock. */
  async function holdApplication(id: string): Promise<() => Promise<void>> {
    const trx = await database.db.startTransaction().execute();
    await trx.selectFrom('application').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
    return async () => {
      await trx.commit().execute();
    };
  }
  /** Resolves when a transaction waits for a locked row. */
  const somebodyWaits = () =>
    until(async () => {
      const waiting =
        await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          database.db,
        );
      return waiting.rows.length > 0;
    });
  return { ...bridge, db: database.db, owner, logged, newSession, holdApplication, somebodyWaits };
}

async function until(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await new Promise(setImmediate);
}

/** Resolves when a port accepts no connections. */
const isClosed = (url: string) =>
  until(async () => {
    const answer = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined);
    await answer?.text();
    return answer === undefined;
  });

test('First /readyz fails while everything else is served; then the ports close.', async (t) => {
  const { bridgeUrl, applyUrl, stop } = await setup(t, {}, { BRIDGE_STOP_DELAY: '1' });
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
  const { applyUrl, stop, db, newSession, holdApplication, somebodyWaits } = await setup(t);
  const session = await newSession();
  const visitor = createVisitor();
  // An SSN without a simulated decision, so the department needs a job.
  const identity = { ssn: '900-12-1234' };
  await walkTo(visitor, session, 'payment', { identity });
  const release = await holdApplication(session.applicationId);
  const response = fetch(`${session.applicationUrl}/payment`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(typed.payment),
  });
  await somebodyWaits();
  const stopped = stop();
  await isClosed(applyUrl);
  await release();
  assert.equal((await response).status, 303);
  await stopped;
  const { rows } = await sql<{
    data: { state: string };
  }>`select data from pgboss.job where name = 'department'`.execute(db);
  assert.deepEqual(
    rows.map(({ data }) => data.state),
    ['TX'],
  );
});

test('A running job is finished.', async (t) => {
  const { stop, db, logged, newSession, holdApplication, somebodyWaits, context } = await setup(t);
  const { applicationId } = await newSession();
  const now = new Date();
  await db
    .updateTable('application')
    .set({ step: 'submitted', submitted_at: now })
    .where('id', '=', applicationId)
    .execute();
  const state = { application_id: applicationId, state: 'TX' as const, status: 'pending_review' as const };
  await db
    .insertInto('application_state')
    .values({ ...state, reason: null, action_hash: null, action_url_override: null, updated_at: now })
    .execute();
  const release = await holdApplication(applicationId);
  await db.transaction().execute((trx) => context.schedule(trx, { applicationId, state: 'TX', status: 'approved' }, 0));
  await until(() => Promise.resolve(logged.some((line) => line.includes('A simulated department decides.'))));
  await somebodyWaits();
  const stopped = stop();
  await release();
  await stopped;
  const { status } = await db.selectFrom('application_state').select('status').executeTakeFirstOrThrow();
  assert.equal(status, 'approved');
  const { rows } = await sql<{ state: string }>`select state from pgboss.job where name = 'department'`.execute(db);
  assert.deepEqual(rows, [{ state: 'completed' }]);
});

test('A current delivery is finished and recorded.', async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const { stop, db, newSession } = await setup(t);
  let answer = () => {};
  receiver.answers.push((response) => {
    answer = () => void response.writeHead(200).end();
  });
  const { applicationUrl } = await newSession(receiver.url);
  await (await fetch(applicationUrl)).text();
  await receiver.arrival(1);
  const stopped = stop();
  await isClosed(new URL(applicationUrl).origin);
  answer();
  await stopped;
  const event = await db.selectFrom('webhook_event').select(['delivered_at']).executeTakeFirstOrThrow();
  assert.notEqual(event.delivered_at, null);
  const line = await db.selectFrom('webhook_stream').select(['due_at', 'lease_until']).executeTakeFirstOrThrow();
  assert.deepEqual(line, { due_at: null, lease_until: null });
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
  const { stop, db, context, owner } = await setup(t, {
    producerRegistry: { findKnown } as unknown as ProducerRegistry,
  });
  const npn = Array.from({ length: 5_000 }, (_, index) => String(index + 1));
  await startBulkOnboarding(context, owner, { npn, onboardType: 'lookup' });
  await isAsked;
  const stopped = stop();
  answer();
  await stopped;
  const batches = await db.selectFrom('bulk_batch').select('outcomes').execute();
  assert.ok(batches.length > 1);
  assert.equal(batches.filter(({ outcomes }) => outcomes !== null).length, 1);
});

test('A caller that never stops sending on its connection does not hold up the stop.', async (t) => {
  const server = await listen({ host: '127.0.0.1', port: 0, variable: 'NONE' });
  let answer = () => {};
  const isAsked = new Promise<void>((asked) => {
    server.serve(
      () =>
        new Promise((resolve) => {
          answer = () => {
            resolve(new Response('done'));
          };
          asked();
        }),
    );
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => {
    agent.destroy();
  });
  const underWay = new Promise<string | undefined>((resolve, reject) => {
    const sent = request(`http://127.0.0.1:${String(server.port)}`, { agent }, (response) => {
      response.resume().on('end', () => {
        resolve(response.headers.connection);
      });
    });
    sent.on('error', reject).end();
  });
  await isAsked;
  const closed = server.close(60_000);
  answer();
  assert.equal(await underWay, 'close');
  await closed;
});
